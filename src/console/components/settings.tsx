import type { Children } from '@kitajs/html'
import type { MemberRequest } from '../http/context.ts'
import { layout, PageHead } from './screen.tsx'

const tabs = [
  { path: '/settings/team', title: 'Team' },
  { path: '/settings/members', title: 'Members' },
  { path: '/settings/keys', title: 'API keys' },
  { path: '/settings/usage', title: 'Usage' },
  { path: '/settings/audit', title: 'Audit log' },
  { path: '/settings/captured-emails', title: 'Captured emails' },
] as const
type SettingsTab = (typeof tabs)[number]['path']

interface SettingsProps {
  tab: SettingsTab
  title: string
  lead?: string
  /** The page's main button. */
  action?: Children
}

/** A page of the team's settings, under their tabs. */
export async function settingsScreen(
  context: MemberRequest,
  { tab, title, lead, action }: SettingsProps,
  body: JSX.Element,
): Promise<Response> {
  return await layout(
    context,
    { title, section: 'settings' },
    <>
      <nav class="tabs" aria-label="Settings">
        {tabsFor(context, tab).map(({ path, title }) => (
          <a href={path} aria-current={path === tab ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <PageHead title={title} {...(lead && { lead })}>
        {action}
      </PageHead>
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
