import type { MemberRole } from '../../../contract/vocabulary.ts'
import type { TextKey } from '../../locales/index.ts'

/** A setting that the search finds by its label. */
export interface SettingDestination {
  title: TextKey
  /** The page with the id of its field. */
  path: `${string}#${string}`
  /** The name of its page. */
  page: TextKey
  role: MemberRole
}

const fieldsOf = (
  path: string,
  page: TextKey,
  role: MemberRole,
  fields: Readonly<Record<string, TextKey>>,
): SettingDestination[] =>
  Object.entries(fields).map(([id, title]) => ({ title, path: `${path}#${id}`, page, role }))

/** The settings that are found one by one. */
export const settingDestinations: readonly SettingDestination[] = [
  ...fieldsOf('/account', 'search.your_account', 'viewer', {
    language: 'account.language',
    time_zone: 'account.time_zone',
    notifications: 'account.notifications',
    draft_digest: 'account.draft_digest',
    keyboard_shortcuts: 'account.keyboard_shortcuts',
    'chat-accounts': 'account.chat_accounts',
    sessions: 'account.where_you_are_signed_in',
  }),
  ...fieldsOf('/settings/team', 'settings.team_details', 'admin', {
    brand_color: 'team.brand_color',
    contact: 'team.contact_in_the_footer',
    share_url: 'team.where_share_your_news_leads',
    newsletter_cadence: 'team.how_often_a_newsletter_goes',
    language: 'team.language',
  }),
  ...fieldsOf('/settings/ai', 'settings.ai_texts', 'admin', {
    tone: 'ai.tone',
    words_to_avoid: 'ai.words_to_avoid',
  }),
  ...fieldsOf('/settings/submissions', 'settings.submissions', 'admin', {
    requires_sign_in: 'submissions.only_for_members_who',
  }),
  ...fieldsOf('/settings/archive', 'settings.archive', 'admin', {
    archive: 'archive_settings.who_can_read_it',
  }),
  ...fieldsOf('/settings/sending', 'settings.recurring', 'admin', {
    required: 'sending.requires_approval',
    is_recurring: 'sending.prepare_drafts',
    weekday: 'sending.weekday',
    lead_days: 'sending.lead_days',
    hour: 'sending.hour',
    time_zone: 'sending.time_zone',
    reminder_days: 'sending.reminder',
  }),
]
