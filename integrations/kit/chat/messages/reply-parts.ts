import { formButton } from '../buttons.ts'
import type { ChatLocale } from '../format.ts'
import { chatText } from '../locales/index.ts'
import { nextSentence } from '../tidings-command.ts'
import { type MessageContent, type MessagePart, shortTitle } from './message-part.ts'
import type { BotReply } from './messaging.ts'
import type { Submission } from './team-news.ts'

/** What the bot replies to a message. It repeats nothing of what the person wrote. */
export function replyContent(reply: BotReply, locale: ChatLocale): MessageContent {
  const { language } = locale
  switch (reply.type) {
    case 'question': {
      const question = chatText(language, `ask_${reply.question}`)
      const text = reply.inChannel ? `${question} ${chatText(language, 'ask_mention')}` : question
      return withForm(text, locale)
    }
    case 'form':
      return withForm(chatText(language, 'mention_reply'), locale)
    case 'unread':
      return withForm(chatText(language, 'unread_reply'), locale)
    case 'cancelled':
      return sentence(chatText(language, 'nothing_saved'))
    case 'next':
      return sentence(nextSentence(reply.next, language))
    case 'status': {
      const counts = chatText(language, 'status_counts', reply.counts)
      return sentence(`${counts}\n${nextSentence(reply.next, language)}`)
    }
    case 'submissions':
      return submissionsContent(reply.submissions, locale)
  }
}

const sentence = (text: string): MessageContent => ({
  notification: text,
  parts: [{ kind: 'paragraph', text }],
})

const withForm = (text: string, { language }: ChatLocale): MessageContent => ({
  notification: text,
  parts: [
    { kind: 'paragraph', text },
    { kind: 'buttons', buttons: [formButton(language)] },
  ],
})

function submissionsContent(
  submissions: readonly Submission[],
  { language, format }: ChatLocale,
): MessageContent {
  if (submissions.length === 0)
    return sentence(chatText(language, 'submissions_none', { before: format.before }))
  const heading = chatText(language, 'submissions_title')
  const parts = submissions.map(
    ({ title, state, url }): MessagePart => ({
      kind: 'draft',
      title: shortTitle(title ?? chatText(language, 'submission_deleted')),
      url,
      lines: [chatText(language, `submission_${state}`)],
    }),
  )
  return { notification: heading, parts: [{ kind: 'heading', text: heading }, ...parts] }
}
