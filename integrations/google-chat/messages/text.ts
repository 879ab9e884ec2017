import type { Language } from '../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../src/locales/index.ts'
import { mrkdwnToText } from '../../kit/markdown/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../../kit/markdown/mrkdwn-markdown.ts'
import { type Message, nameOf } from '../requests/event.ts'

const mention = /<users\/([\w-]+)>/g

/** The people who are mentioned in a message, without the app and without everybody, by id. */
function peopleIn({ annotations }: Message): Map<string, string> {
  const users = annotations.flatMap(({ userMention }) => userMention?.user ?? [])
  const people = users.filter(({ name, type }) => name && name !== 'users/all' && type !== 'BOT')
  return new Map(people.map((user) => [user.name ?? '', nameOf(user)]))
}

/** The ids of the people who are mentioned in a message. */
export const mentionedIn = (message: Message): string[] => [...peopleIn(message).keys()]

/**
 * The text of a message without ids, in Google's markup: mentions become names, and the app and everybody are not
 * mentioned. A message without `formattedText` has no formatting.
 * Source: https://developers.google.com/workspace/chat/format-messages
 */
export function messageText(message: Message, language: Language): string {
  const people = peopleIn(message)
  const someone = formatMessage(language, 'someone', {})
  const apps = new Set(
    message.annotations.flatMap(({ userMention }) =>
      userMention?.user?.type === 'BOT' ? [userMention.user.name] : [],
    ),
  )
  const text = (message.formattedText ?? withoutApp(message)).replace(mention, (_, id: string) => {
    const user = `users/${id}`
    return user === 'users/all' || apps.has(user) ? '' : people.get(user) || someone
  })
  return text.trimStart()
}

/** Google's markup as Markdown, without mentions. Many people write `**bold**` and `~~struck~~` as elsewhere. */
export const markupToMarkdown = (text: string, language: Language): string =>
  mrkdwnToMarkdown(
    mrkdwnToText(
      text
        .replace(/\*\*(?=\S)([^*\n]{1,1000})(?<=\S)\*\*/g, '*$1*')
        .replace(/~~(?=\S)([^~\n]{1,1000})(?<=\S)~~/g, '~$1~'),
      language,
    ),
  )

/** The plain text of a message, which begins with the name of the app when it is mentioned first. */
function withoutApp({ text, annotations }: Message): string {
  const app = annotations.find(
    ({ userMention, startIndex }) => userMention?.user?.type === 'BOT' && startIndex === 0,
  )
  const name = nameOf(app?.userMention?.user)
  return app && text.startsWith(`@${name}`) ? text.slice(name.length + 1) : text
}

/** Whether the text after a command begins with a mention of a person. */
export const startsWithMention = ({ formattedText }: Message): boolean =>
  /^\s*(?:<users\/[\w-]+>\s*)?\/?\p{L}+\s+<users\/(?!all>)[\w-]+>/u.test(formattedText ?? '')

/**
 * Text of people in a message with formatting. Google has no escape, so the brackets of links and mentions are
 * replaced by others.
 */
export const escapeForMessage = (text: string): string =>
  text.replaceAll('<', '‹').replaceAll('>', '›').replaceAll('|', '¦')

/** A message in the HTML of cards: its links stay links. */
export const textForCard = (text: string): string =>
  text
    .split(/(<https?:[^<>|]*\|[^<>]*>)/)
    .map((part) => {
      const [, url, label] = /^<(https?:[^<>|]*)\|([^<>]*)>$/.exec(part) ?? []
      return url !== undefined && label !== undefined
        ? linkForCard(url, escapeForCard(label))
        : escapeForCard(part)
    })
    .join('')
    .replaceAll('\n', '<br>')

/** Text of people in a card, whose text is HTML. */
export const escapeForCard = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A link in a card; `label` is HTML. */
export const linkForCard = (url: string, label: string): string =>
  `<a href="${escapeForCard(url).replaceAll('"', '&quot;')}">${label}</a>`
