import { localeOf } from '../../../src/locales/index.ts'
import type { TeamApi } from '../team-api.ts'
import { accountLinkText } from './action-replies.ts'
import type { ReplyTopic } from './actions.ts'
import type { ChatLocale } from './format.ts'
import { chatText } from './locales/index.ts'
import { shortTitle } from './messages/message-part.ts'
import type { NextNewsletter, Submission } from './messages/team-news.ts'
import { helpText } from './submissions.ts'

const switches = new Map([
  ['off', false],
  ['mute', false],
  ['on', true],
  ['unmute', true],
])

/** Whether a person wants messages about their news, as they say with `/tidings off` or `on`; undefined for other words. */
export const messagesWanted = (word: string): boolean | undefined => switches.get(word)

/** The person who asks. */
interface Asking {
  user: string
  name: string
  team: TeamApi
}

const topics = new Map<string, ReplyTopic>([
  ['next', 'next'],
  ['next newsletter', 'next'],
  ['mine', 'mine'],
  ['submissions', 'mine'],
  ['my submissions', 'mine'],
  ['link', 'link'],
  ['status', 'status'],
])

/** What the reply to a word after `/tidings` is about; undefined for an unknown word, which gets the help of the chat. */
export const topicOfWord = (word: string): ReplyTopic | undefined => topics.get(word)

/** The reply to a word after `/tidings`, for that person alone; undefined for an unknown word. */
export async function replyToWord(
  word: string,
  asking: Asking,
  locale: ChatLocale,
): Promise<string | undefined> {
  const about = topicOfWord(word)
  return about && (await replyText(about, asking, locale))
}

/** The reply of the bot to the person who asks. */
export async function replyText(
  about: ReplyTopic,
  { user, name, team }: Asking,
  locale: ChatLocale,
): Promise<string> {
  const { language, format } = locale
  switch (about) {
    case 'next':
      return await nextText(team, locale)
    case 'mine':
      return submissionsText(await team.submissions(user), locale)
    case 'status':
      return `${chatText(language, 'status_counts', await team.counts())}\n${await nextText(team, locale)}`
    case 'link':
      return accountLinkText(await team.accountLink({ user, name }), locale)
    case 'draft_not_linked': {
      const link = accountLinkText(await team.accountLink({ user, name }), locale)
      return `${chatText(language, 'review_not_linked')}\n${link}`
    }
    case 'help':
      return `${helpText(language, format.before)}\n\n${chatText(language, 'tidings_help', { command: format.before })}`
    case 'form_not_opened':
      return chatText(language, about, { before: format.before })
    default:
      return chatText(language, sentences[about])
  }
}

/** The replies that are always the same. */
const sentences = {
  too_long: 'too_long',
  form: 'mention_reply',
  not_opened: 'not_opened',
  failed: 'action_failed',
  not_public: 'not_public',
  undo_not_yours: 'undo_not_yours',
  draft_missing: 'review_missing',
  draft_viewer: 'review_viewer',
} as const satisfies Partial<Record<ReplyTopic, Parameters<typeof chatText>[1]>>

/** The next newsletter in one sentence. */
async function nextText(team: TeamApi, { language, format }: ChatLocale): Promise<string> {
  return nextSentence(await team.nextNewsletter(), language, format.escape)
}

/** The same of a newsletter that is known; `harmless` escapes text of people for the chat. */
export function nextSentence(
  next: NextNewsletter | null,
  language: ChatLocale['language'],
  harmless: (text: string) => string = (text) => text,
): string {
  if (!next) return chatText(language, 'next_none')
  const { blocks, date } = next
  const title = harmless(shortTitle(next.title))
  if (date === null) return chatText(language, 'next_undated', { title, blocks })
  const dates = new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return chatText(language, 'next_dated', { title, blocks, date: dates.format(new Date(date)) })
}

/** What became of the news of a person, one line each. */
export function submissionsText(
  submissions: readonly Submission[],
  { language, format }: ChatLocale,
): string {
  if (submissions.length === 0)
    return chatText(language, 'submissions_none', { before: format.before })
  const lines = submissions.map(({ title, state, url }) => {
    const name = shortTitle(title ?? chatText(language, 'submission_deleted'))
    return `• ${format.link(url, name)}: ${chatText(language, `submission_${state}`)}`
  })
  return lines.join('\n')
}
