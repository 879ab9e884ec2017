import type { Children } from '@kitajs/html'
import type { ConsoleAssets } from '../../assets.ts'
import type { MemberRequest } from '../../http/context.ts'
import { layout, PageHeader } from './layout.tsx'

/** The pages of the settings. */
export const settingsTabs = [
  { path: '/settings/team', title: 'settings.team' },
  { path: '/settings/members', title: 'settings.members' },
  { path: '/settings/keys', title: 'settings.api_keys' },
  { path: '/settings/templates', title: 'settings.templates' },
  { path: '/settings/archive', title: 'settings.archive' },
  { path: '/settings/ai', title: 'settings.ai_texts' },
  { path: '/settings/submissions', title: 'settings.submissions' },
  { path: '/settings/usage', title: 'settings.usage' },
  { path: '/settings/audit', title: 'settings.audit_log' },
  { path: '/settings/jobs', title: 'settings.jobs' },
  { path: '/settings/health', title: 'settings.health' },
  { path: '/settings/captured-emails', title: 'settings.captured_emails' },
] as const
type SettingsTab = (typeof settingsTabs)[number]['path']

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
  const { t } = context
  return await layout(
    context,
    { title, section: 'settings', scripts },
    <>
      <nav class="tabs" aria-label={t('common.settings')}>
        {tabsFor(context, tab).map(({ path, title }) => (
          <a href={path} aria-current={path === tab ? 'page' : undefined}>
            {t(title)}
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
  return settingsTabs.filter(
    ({ path }) => path !== '/settings/captured-emails' || path === tab || !deps.mail,
  )
}
