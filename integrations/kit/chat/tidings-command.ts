import { localeOf } from '../../../src/locales/index.ts'
import type { TeamApi } from '../team-api.ts'
import { accountLinkText } from './action-replies.ts'
import type { ChatLocale } from './format.ts'
import { chatText } from './locales/index.ts'
import { shortTitle } from './message-part.ts'
import type { NextNewsletter, Submission } from './team-news.ts'

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

/**
 * The reply to a word after `/tidings`, for that person alone; undefined for an unknown word, which gets the help
 * of the chat.
 */
export async function replyToWord(
  word: string,
  { user, name, team }: Asking,
  locale: ChatLocale,
): Promise<string | undefined> {
  switch (word) {
    case 'next':
    case 'next newsletter':
      return await nextText(team, locale)
    case 'mine':
    case 'submissions':
    case 'my submissions':
      return submissionsText(await team.submissions(user), locale)
    case 'link':
      return accountLinkText(await team.accountLink({ user, name }), locale)
    case 'status':
      return `${chatText(locale.language, 'status_counts', await team.counts())}\n${await nextText(team, locale)}`
    default:
      return undefined
  }
}

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
