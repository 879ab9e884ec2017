import type {
  AccountChange,
  ChangeRow,
  WriteChangeEmail,
} from '../../features/account-emails/index.ts'
import { localeOf } from '../../locales/index.ts'
import { formatExact } from '../components/dates/date-time.tsx'
import { preferredLanguage, type TextKey, type Translate, translateTo } from '../locales/index.ts'
import { composeEmail } from './email-layout.ts'

/** What each change is called, which is the subject of its email. */
const titles: Record<AccountChange, TextKey> = {
  passkey_added: 'email.change_passkey_added',
  passkey_removed: 'email.change_passkey_removed',
  authenticator_added: 'email.change_authenticator_added',
  authenticator_removed: 'email.change_authenticator_removed',
  backup_codes_created: 'email.change_backup_codes_created',
  backup_code_used: 'email.change_backup_code_used',
  password_changed: 'email.change_password_changed',
  password_reset: 'email.change_password_reset',
  password_link_made: 'email.change_password_link_made',
  sign_in_link_made: 'email.change_sign_in_link_made',
  second_factor_reset: 'email.change_second_factor_reset',
  identity_linked: 'email.change_identity_linked',
  identity_unlinked: 'email.change_identity_unlinked',
  credentials_replaced: 'email.change_credentials_replaced',
  chat_account_linked: 'email.change_chat_account_linked',
}

/** The changes that an admin or an operator makes of somebody else's account. */
const byAdmins: ReadonlySet<AccountChange> = new Set([
  'password_link_made',
  'sign_in_link_made',
  'second_factor_reset',
  'identity_unlinked',
])

/** The changes after which the person's own password may not work any more. */
const ofPasswords: ReadonlySet<AccountChange> = new Set([
  'password_changed',
  'password_reset',
  'password_link_made',
])

const maxListed = 20

/** The email about changes of an account, with a link to the account or to a new password. */
export const changeEmail =
  ({ baseUrl, passwordSignIn }: { baseUrl: string; passwordSignIn: boolean }): WriteChangeEmail =>
  ({ membership }, changes) => {
    const t = translateTo(preferredLanguage([membership?.language, membership?.team_language]))
    const words = { t, timeZone: membership?.time_zone ?? null }
    const accountUrl = `${baseUrl}/account`
    const mayNeedPassword = passwordSignIn && changes.some(({ change }) => ofPasswords.has(change))
    const isExpected = changes.every(({ change }) => byAdmins.has(change))
    const content = {
      ...(changes.length === 1
        ? oneChange(words, changes[0])
        : severalChanges(words, changes, accountUrl)),
      advice: [
        t(isExpected ? 'email.change_was_expected' : 'email.change_was_you'),
        t(passwordSignIn ? 'email.change_was_not_you' : 'email.change_was_not_you_at_provider'),
      ],
      button: t(mayNeedPassword ? 'recovery.choose_a_new_password' : 'email.check_your_account'),
      link: mayNeedPassword ? `${baseUrl}/forgot` : accountUrl,
    }
    return composeEmail(t, content, { text: t('email.change_cannot_be_switched_off') })
  }

interface Words {
  t: Translate
  timeZone: string | null
}

function oneChange(words: Words, change: ChangeRow) {
  const { t } = words
  const lines = [sentenceOf(words, change), detailOf(t, change)]
  return { subject: t(titles[change.change]), lines: lines.filter((line) => line !== null) }
}

function severalChanges(words: Words, changes: readonly ChangeRow[], url: string) {
  const { t } = words
  const listed = changes.slice(0, maxListed)
  const more = changes.length - listed.length
  return {
    subject: t('email.changes_subject', { count: changes.length }),
    lines: [t('email.changes')],
    items: listed.map((change) => ({
      title: t(titles[change.change]),
      detail: summaryOf(words, change),
      url,
    })),
    rest: more > 0 ? t('email.changes_more', { count: more }) : null,
  }
}

const timeOf = ({ t, timeZone }: Words, { created_at }: ChangeRow): string =>
  formatExact({ language: t.language, locale: localeOf(t.language), timeZone }, created_at)

/** When a change was made, what it is about, and by whom or from where, in a line of a list. */
function summaryOf(words: Words, row: ChangeRow): string {
  const { change, detail, address } = row
  const operator = byAdmins.has(change) && detail === null ? words.t('email.an_operator') : null
  return [timeOf(words, row), detail, operator, address].filter(Boolean).join(' · ')
}

/** Who made a change, when and from where, as a sentence. */
function sentenceOf(words: Words, row: ChangeRow): string {
  const { t } = words
  const { change, detail, address } = row
  const time = timeOf(words, row)
  if (!byAdmins.has(change)) {
    return address === null
      ? t('email.change_at', { time })
      : t('email.change_from', { time, address })
  }
  return detail === null
    ? t('email.change_by_operator', { time })
    : t('email.change_by', { name: detail, time })
}

/** The passkey, the chat account or the identity provider of a change, as a sentence, or null. */
function detailOf(t: Translate, { change, detail: name }: ChangeRow): string | null {
  if (name === null || byAdmins.has(change)) return null
  switch (change) {
    case 'passkey_added':
    case 'passkey_removed':
      return t('email.change_of_passkey', { name })
    case 'chat_account_linked':
      return t('email.change_of_chat_account', { name })
    default:
      return t('email.change_with_provider', { name })
  }
}
