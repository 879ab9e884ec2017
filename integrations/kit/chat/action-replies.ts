import type { Language } from '../../../src/contract/vocabulary.ts'
import { splitUtf16 } from '../text/fit-length.ts'
import { htmlToText } from '../text/html.ts'
import type { ActionResult, ChatAction } from './actions.ts'
import { type ActionButton, messagesButton, remindersButton } from './buttons.ts'
import type { ChatLocale } from './format.ts'
import { chatText } from './locales/index.ts'
import { shortTitle } from './messages/message-part.ts'

/** What became of an action, and the person who used the button. */
interface Acted {
  result: ActionResult
  user: string
}

/** What both people read when one approves and the other declines; null in other cases. */
export function conflictText({ result, user }: Acted, locale: ChatLocale): string | null {
  if (result.outcome !== 'decided_before') return null
  const { by, wanted, decision, title } = result
  if (by === null || by === user || wanted === decision) return null
  const { language, format } = locale
  const key = wanted === 'approved' ? 'review_conflict_approve' : 'review_conflict_decline'
  const people = { first: format.mention(by), other: format.mention(user) }
  return chatText(language, key, { ...people, title: titleOf(title, locale) })
}

/**
 * What only the person who used the button reads. Null when `isShown` says that the message or the home shows it
 * already, and for changes that were not saved, which {@link editConflict} describes.
 */
export function resultText(
  result: ActionResult,
  isShown: boolean,
  locale: ChatLocale,
): string | null {
  const { language } = locale
  switch (result.outcome) {
    case 'decided':
      return isShown ? null : chatText(language, `review_done_${result.decision}`)
    case 'decided_before':
      return earlierText(result, locale)
    case 'changed':
      return chatText(language, 'review_changed', { title: titleOf(result.title, locale) })
    case 'in_newsletter':
      return chatText(language, 'review_in_newsletter')
    case 'edited':
      return isShown ? null : chatText(language, 'edit_saved')
    case 'edit_conflict':
    case 'edit_reviewed':
    case 'edit_missing':
    case 'edit_not_allowed':
      return null
    case 'missing':
      return chatText(language, 'review_missing')
    case 'not_allowed':
      return notAllowedText(result, locale)
    case 'messages':
      return messagesText(result, locale)
    case 'reminders':
      return chatText(language, result.wanted ? 'reminders_are_on' : 'reminders_are_off')
    case 'prompts':
      // The message says it.
      return null
    case 'answer':
      // `replyText` says it.
      return null
  }
}

function messagesText(
  { wanted, isOffForTeam }: Extract<ActionResult, { outcome: 'messages' }>,
  { language }: ChatLocale,
): string {
  const text = chatText(language, wanted ? 'messages_are_on' : 'messages_are_off')
  return wanted && isOffForTeam ? chatText(language, 'messages_off_for_team') : text
}

/** The sentences about what failed, by the type of the stored event. */
const failures: Partial<Record<string, 'not_undone' | 'action_failed'>> = {
  undo: 'not_undone',
  action: 'action_failed',
  message: 'action_failed',
}

/** The reply to a person when their news was not saved or undone, or when a button or a message to the bot failed. */
export const failureText = (type: string, language: Language): string =>
  chatText(language, failures[type] ?? 'not_saved')

/** The button below the reply to a person who has turned something off. */
export function turnOnButton(
  result: ActionResult,
  { language }: ChatLocale,
): ActionButton | undefined {
  if (result.outcome === 'messages' && !result.wanted) return messagesButton(language, 'on')
  if (result.outcome === 'reminders' && !result.wanted) return remindersButton(language, 'on')
  return undefined
}

/** The link with which a person says which member they are, for that person alone. */
export const accountLinkText = (url: string, { language, format }: ChatLocale): string =>
  chatText(language, 'account_link', {
    link: format.link(url, chatText(language, 'account_link_label')),
  })

function notAllowedText(
  { isViewer, linkUrl }: { isViewer: boolean; linkUrl: string | null },
  locale: ChatLocale,
): string {
  const text = chatText(locale.language, isViewer ? 'review_viewer' : 'review_not_linked')
  return linkUrl === null ? text : `${text}\n${accountLinkText(linkUrl, locale)}`
}

const titleOf = (title: string | null, { language, format }: ChatLocale) =>
  format.escape(shortTitle(title ?? chatText(language, 'review_private_title')))

function earlierText(
  { decision, wanted, by, title }: Extract<ActionResult, { outcome: 'decided_before' }>,
  locale: ChatLocale,
): string {
  const { language, format } = locale
  const values = { title: titleOf(title, locale) }
  if (by === null) return chatText(language, `review_${decision}_elsewhere_before`, values)
  const key =
    wanted === decision
      ? (`review_${decision}_alike` as const)
      : (`review_${decision}_before` as const)
  return chatText(language, key, { ...values, person: format.mention(by) })
}

/**
 * What a person wrote and why it was not saved, in as few messages of at most `max` characters as possible: what they
 * wrote is stored nowhere else.
 */
export function conflictMessages(
  { reason, written }: EditConflict,
  { max, format }: { max: number; format: ChatLocale['format'] },
): string[] {
  const whole = `${reason}\n\n${format.escape(written)}`
  if (whole.length <= max) return [whole]
  // The escaped text is at most twice as long.
  return [reason, ...splitUtf16(Math.floor(max / 2), written).map(format.escape)]
}

/** The replies about a change to a draft that was not saved. */
export interface EditConflict {
  /** Why the change was not saved, in the format of the chat. */
  reason: string
  /** What the person wrote, as plain text. */
  written: string
  /** The person who was faster, if that was in the chat, and their reply. */
  first: { user: string; text: string } | null
}

/** What is said about a change to a draft that was not saved; null after other actions. */
export function editConflict(
  { result, user, action }: Acted & { action: ChatAction },
  locale: ChatLocale,
): EditConflict | null {
  if (action.type !== 'edit') return null
  const reason = unsavedText({ result, user }, locale)
  if (reason === null) return null
  const parts = [action.title, action.body === null ? '' : htmlToText(action.body)]
  return {
    reason,
    written: parts.filter((part) => part !== '').join('\n\n'),
    first: firstEditor({ result, user }, locale),
  }
}

/** Why a change to a draft was not saved; null for other results. */
function unsavedText({ result, user }: Acted, locale: ChatLocale): string | null {
  const { language, format } = locale
  const withWritten = (reason: string) => `${reason}\n${chatText(language, 'edit_written')}`
  switch (result.outcome) {
    case 'edit_reviewed':
      return chatText(language, 'edit_reviewed', { title: titleOf(result.title, locale) })
    case 'edit_conflict': {
      const { by } = result
      const title = titleOf(result.title, locale)
      if (by === null || by === user)
        return chatText(language, 'edit_conflict_elsewhere', { title })
      return chatText(language, 'edit_conflict', { title, person: format.mention(by) })
    }
    case 'edit_missing':
      return withWritten(chatText(language, 'review_missing'))
    case 'edit_not_allowed':
      return withWritten(notAllowedText(result, locale))
    default:
      return null
  }
}

function firstEditor({ result, user }: Acted, locale: ChatLocale): EditConflict['first'] {
  if (result.outcome !== 'edit_conflict' || result.by === null || result.by === user) return null
  const { language, format } = locale
  const values = { title: titleOf(result.title, locale), person: format.mention(user) }
  return { user: result.by, text: chatText(language, 'edit_conflict_first', values) }
}
