import type { Children } from '@kitajs/html'
import type { ConsoleAssets } from '../../assets.ts'
import type { MemberRequest } from '../../http/context.ts'
import { Icon } from '../icon.tsx'
import { layout, PageHeader } from './layout.tsx'

/** The pages of the settings, in the groups of their navigation. */
const groups = [
  {
    title: 'settings.team',
    pages: [
      { path: '/settings/team', title: 'settings.team_details' },
      { path: '/settings/members', title: 'settings.members' },
      { path: '/settings/usage', title: 'settings.usage' },
    ],
  },
  {
    title: 'settings.content',
    pages: [
      { path: '/settings/templates', title: 'settings.templates' },
      { path: '/settings/ai', title: 'settings.ai_texts' },
      { path: '/settings/submissions', title: 'settings.submissions' },
      { path: '/settings/archive', title: 'settings.archive' },
    ],
  },
  {
    title: 'settings.sending',
    pages: [{ path: '/settings/sending', title: 'settings.recurring' }],
  },
  {
    title: 'settings.security',
    pages: [
      { path: '/settings/keys', title: 'settings.api_keys' },
      { path: '/settings/audit', title: 'settings.audit_log' },
    ],
  },
  {
    title: 'settings.operations',
    pages: [
      { path: '/settings/health', title: 'settings.health' },
      { path: '/settings/jobs', title: 'settings.jobs' },
      { path: '/settings/captured-emails', title: 'settings.captured_emails' },
    ],
  },
] as const

/** The pages of the settings. */
export const settingsTabs = groups.flatMap(({ pages }): readonly SettingsPage[] => pages)
type SettingsPage = (typeof groups)[number]['pages'][number]
type SettingsTab = SettingsPage['path']

interface SettingsLayoutOptions {
  tab: SettingsTab
  title: string
  lead?: string
  /** The primary button of the page. */
  action?: Children
  /** The additional scripts of the page. */
  scripts?: readonly (keyof ConsoleAssets)[]
  /** The page shows no secret, so that it may be compressed. */
  isCompressed?: boolean
}

/** A complete settings page: the navigation of the settings at the side, or as a menu on narrow screens. */
export async function settingsLayout(
  context: MemberRequest,
  { tab, title, lead, action, scripts = [], isCompressed = false }: SettingsLayoutOptions,
  body: JSX.Element,
): Promise<Response> {
  const { t } = context
  const current = settingsTabs.find(({ path }) => path === tab)
  const isTab = context.url.pathname === tab
  const parent = current && !isTab ? { href: tab, title: t(current.title) } : null
  return await layout(
    context,
    { title, section: 'settings', scripts, isCompressed },
    <div class="settings">
      <div class="settings-side">
        <SettingsNav context={context} tab={tab} />
      </div>
      <details class="settings-menu" data-menu>
        <summary class="button">
          <span>{t(current?.title ?? 'common.settings')}</span>
          <Icon name="chevron" />
        </summary>
        <SettingsNav context={context} tab={tab} />
      </details>
      <div class="settings-page">
        <PageHeader title={title} {...(lead && { lead })} {...(parent && { parent })}>
          {action}
        </PageHeader>
        {body}
      </div>
    </div>,
  )
}

function SettingsNav({ context, tab }: { context: MemberRequest; tab: SettingsTab }) {
  const { t } = context
  return (
    <nav class="settings-nav" aria-label={t('common.settings')}>
      {groups.map(({ title, pages }) => (
        <div>
          <p>{t(title)}</p>
          <ul>
            {pages
              .filter(({ path }: SettingsPage) => isShown(context, path, tab))
              .map((page: SettingsPage) => (
                <li>
                  <a href={page.path} aria-current={page.path === tab ? 'page' : undefined}>
                    {t(page.title)}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Captured emails are shown while emails are captured instead of sent. */
const isShown = ({ deps }: MemberRequest, path: SettingsTab, tab: SettingsTab): boolean =>
  path !== '/settings/captured-emails' || path === tab || !deps.mail
