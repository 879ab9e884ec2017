import type { Language } from '../../../../src/contract/vocabulary.ts'
import { message as sentence } from '../../../../src/locales/index.ts'
import {
  button,
  decisionValue,
  formButton,
  type MessageButton,
  messagesButton,
  remindersButton,
} from '../buttons.ts'
import type { ChatLocale } from '../format.ts'
import { chatText } from '../locales/index.ts'
import { type MessageContent, type MessagePart, shortTitle } from './message-part.ts'
import type { DraftToReview, OutgoingMessage } from './messaging.ts'
import { replyContent } from './reply-parts.ts'

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

function reviewContent(drafts: readonly DraftToReview[], locale: ChatLocale): MessageContent {
  const count = drafts.filter(({ state }) => state.kind === 'waiting').length
  const text =
    count > 0
      ? chatText(locale.language, 'review_title', { count })
      : chatText(locale.language, 'home_review_none')
  return {
    notification: text,
    parts: [{ kind: 'heading', text }, ...draftParts(drafts, locale)],
  }
}

/** Drafts with their buttons, or with who has decided. */
export const draftParts = (drafts: readonly DraftToReview[], locale: ChatLocale): MessagePart[] =>
  drafts.flatMap((draft) => [draftText(draft, locale), draftState(draft, locale)])

function draftText({ content, url }: DraftToReview, { language }: ChatLocale): MessagePart {
  const title = shortTitle(content?.title ?? chatText(language, 'review_private_title'))
  const author = content?.author ?? null
  const lines = [
    author === null ? '' : chatText(language, 'review_by', { author: shortTitle(author) }),
    content === null ? chatText(language, 'review_private') : content.excerpt,
  ]
  return { kind: 'draft', title, url, lines: lines.filter((line) => line !== '') }
}

function draftState(draft: DraftToReview, { language, format }: ChatLocale): MessagePart {
  const { state } = draft
  if (state.kind === 'waiting') return { kind: 'buttons', buttons: reviewButtons(draft, language) }
  const key = `review_${state.kind}` as const
  const text =
    state.by === null
      ? chatText(language, `${key}_elsewhere`)
      : chatText(language, key, { person: format.mention(state.by) })
  return { kind: 'note', text }
}

const reviewButtons = (draft: DraftToReview, language: Language): MessageButton[] => [
  {
    kind: 'action',
    name: button.approve,
    value: decisionValue(draft),
    style: 'primary',
    label: chatText(language, 'review_approve'),
  },
  { kind: 'action', name: button.edit, value: draft.id, label: chatText(language, 'review_edit') },
  {
    kind: 'action',
    name: button.decline,
    value: decisionValue(draft),
    style: 'danger',
    label: chatText(language, 'review_decline'),
    confirm: {
      title: chatText(language, 'review_decline_title'),
      text: chatText(language, 'review_decline_text'),
      cancel: chatText(language, 'review_cancel'),
    },
  },
]

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
      { kind: 'buttons', buttons: [...link, messagesButton(language, false)] },
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
  if (more > 0) items.push(sentence(language, 'release_more', { count: more }))
  return [{ kind: 'list', heading, items }]
}

function declinedContent(title: string, language: Language): MessageContent {
  const text = chatText(language, 'declined', { title: shortTitle(title) })
  return {
    notification: text,
    parts: [
      { kind: 'paragraph', text },
      { kind: 'buttons', buttons: [messagesButton(language, false)] },
    ],
  }
}

type Prompt = Extract<OutgoingMessage, { kind: 'prompt' }>

const questionOf = ({ question }: { question: string | null }, language: Language) =>
  question ?? chatText(language, 'prompt_question')

/** A question that people have written, with a mark at its end, because another sentence follows. */
const asSentence = (question: string) =>
  /[\p{P}\p{S}]\p{M}*$/u.test(question) ? question : `${question}.`

/** The question for news in a channel, or who has stopped these questions. */
function promptContent(prompt: Prompt, locale: ChatLocale): MessageContent {
  const { language } = locale
  const question = questionOf(prompt, language)
  return {
    notification: question,
    parts: [
      { kind: 'heading', text: question },
      { kind: 'paragraph', text: chatText(language, 'prompt_text') },
      ...(prompt.muted ? stoppedParts(prompt, locale) : [askingButtons(prompt, language)]),
    ],
  }
}

function stoppedParts(
  { promptId, muted }: Prompt,
  { language, format }: ChatLocale,
): MessagePart[] {
  const by = muted?.by ?? null
  const text =
    by === null
      ? chatText(language, 'prompts_stopped')
      : chatText(language, 'prompts_stopped_by', { person: format.mention(by) })
  const startAgain: MessageButton = {
    kind: 'action',
    name: button.promptsOn,
    value: promptId,
    label: chatText(language, 'prompts_on'),
  }
  return [
    { kind: 'note', text },
    { kind: 'buttons', buttons: [formButton(language, promptId), startAgain] },
  ]
}

const askingButtons = ({ promptId }: Prompt, language: Language): MessagePart => ({
  kind: 'buttons',
  buttons: [
    formButton(language, promptId),
    {
      kind: 'action',
      name: button.promptsOff,
      value: promptId,
      label: chatText(language, 'prompts_off'),
      confirm: {
        title: chatText(language, 'prompts_off_title'),
        text: chatText(language, 'prompts_off_text'),
        cancel: chatText(language, 'review_cancel'),
      },
    },
  ],
})

/** The reminder of a question for a person who sends news regularly. */
function reminderContent(
  reminder: Extract<OutgoingMessage, { kind: 'reminder' }>,
  language: Language,
): MessageContent {
  const question = asSentence(questionOf(reminder, language))
  const text = chatText(language, 'reminder', { question })
  return {
    notification: text,
    parts: [
      { kind: 'paragraph', text },
      {
        kind: 'buttons',
        buttons: [formButton(language, reminder.promptId), remindersButton(language, false)],
      },
    ],
  }
}
