import type { Children } from '@kitajs/html'
import type { ConsoleAssets } from '../../assets.ts'
import type { MemberRequest } from '../../http/context.ts'
import { layout, PageHeader } from './layout.tsx'

const tabs = [
  { path: '/settings/team', title: 'Team' },
  { path: '/settings/members', title: 'Members' },
  { path: '/settings/keys', title: 'API keys' },
  { path: '/settings/templates', title: 'Templates' },
  { path: '/settings/archive', title: 'Archive' },
  { path: '/settings/ai', title: 'AI texts' },
  { path: '/settings/submissions', title: 'Submissions' },
  { path: '/settings/usage', title: 'Usage' },
  { path: '/settings/audit', title: 'Audit log' },
  { path: '/settings/jobs', title: 'Jobs' },
  { path: '/settings/health', title: 'Health' },
  { path: '/settings/captured-emails', title: 'Captured emails' },
] as const
type SettingsTab = (typeof tabs)[number]['path']

interface SettingsLayoutOptions {
  tab: SettingsTab
  title: string
  lead?: string
  /** The primary button of the page. */
  action?: Children
  /** The additional scripts of the page. */
  scripts?: readonly (keyof ConsoleAssets)[]
}

/** A complete settings page with the tabs of the settings. */
export async function settingsLayout(
  context: MemberRequest,
  { tab, title, lead, action, scripts = [] }: SettingsLayoutOptions,
  body: JSX.Element,
): Promise<Response> {
  return await layout(
    context,
    { title, section: 'settings', scripts },
    <>
      <nav class="tabs" aria-label="Settings">
        {tabsFor(context, tab).map(({ path, title }) => (
          <a href={path} aria-current={path === tab ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <PageHeader title={title} {...(lead && { lead })}>
        {action}
      </PageHeader>
      {body}
    </>,
  )
}

/** The tab of captured emails is shown while emails are captured instead of sent. */
function tabsFor({ deps }: MemberRequest, tab: SettingsTab) {
  return tabs.filter(
    ({ path }) => path !== '/settings/captured-emails' || path === tab || !deps.mail,
  )
}
