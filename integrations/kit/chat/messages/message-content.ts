import type { Language } from '../../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../../src/locales/index.ts'
import { type MessageButton, messagesButton } from '../buttons.ts'
import type { ChatLocale } from '../format.ts'
import { chatText } from '../locales/index.ts'
import { type MessageContent, type MessagePart, shortTitle } from './message-part.ts'
import type { OutgoingMessage } from './messaging.ts'
import { promptContent, reminderContent } from './prompt-parts.ts'
import { replyContent } from './reply-parts.ts'
import { reviewContent } from './review-parts.ts'

const maxTitles = 10

/** What a message says, for all chats. */
export function messageContent(message: OutgoingMessage, locale: ChatLocale): MessageContent {
  const { language } = locale
  switch (message.kind) {
    case 'review':
      return reviewContent(message.drafts, locale)
    case 'published':
      return publishedContent(message, language)
    case 'declined':
      return declinedContent(message.title, language)
    case 'prompt':
      return promptContent(message, locale)
    case 'reminder':
      return reminderContent(message, language)
    case 'reply':
      return replyContent(message.reply, locale)
  }
}

/** The ids of the people whose names a message contains. */
export function peopleNamedIn(message: OutgoingMessage): Set<string> {
  if (message.kind === 'prompt') return new Set(message.muted?.by ? [message.muted.by] : [])
  if (message.kind !== 'review') return new Set()
  return new Set(
    message.drafts.flatMap(({ state }) =>
      state.kind !== 'waiting' && state.by !== null ? [state.by] : [],
    ),
  )
}

function publishedContent(
  { newsletter, contributed, thanked }: Extract<OutgoingMessage, { kind: 'published' }>,
  language: Language,
): MessageContent {
  const values = { newsletter: shortTitle(newsletter.title) }
  const isBoth = contributed.length > 0 && thanked.length > 0
  const count = contributed.length || thanked.length
  const only = contributed.length > 0 ? 'published' : 'published_thanked'
  const text = chatText(language, isBoth ? 'published_both' : only, { ...values, count })
  const read = chatText(language, 'published_read')
  const link: MessageButton[] =
    newsletter.url === null ? [] : [{ kind: 'link', url: newsletter.url, label: read }]
  return {
    notification: text,
    parts: [
      { kind: 'paragraph', text },
      ...titleList(contributed, isBoth ? chatText(language, 'published_yours') : null, language),
      ...titleList(thanked, isBoth ? chatText(language, 'published_thanks') : null, language),
      { kind: 'buttons', buttons: [...link, messagesButton(language, 'off')] },
    ],
  }
}

function titleList(
  titles: readonly string[],
  heading: string | null,
  language: Language,
): MessagePart[] {
  if (titles.length === 0) return []
  const more = titles.length - maxTitles
  const items = titles.slice(0, maxTitles).map(shortTitle)
  if (more > 0) items.push(formatMessage(language, 'release_more', { count: more }))
  return [{ kind: 'list', heading, items }]
}

function declinedContent(title: string, language: Language): MessageContent {
  const text = chatText(language, 'declined', { title: shortTitle(title) })
  return {
    notification: text,
    parts: [
      { kind: 'paragraph', text },
      { kind: 'buttons', buttons: [messagesButton(language, 'off')] },
    ],
  }
}
