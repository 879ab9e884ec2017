import type { Language } from '../../../../src/contract/vocabulary.ts'
import { buttonNames, formButton, type MessageButton, remindersButton } from '../buttons.ts'
import type { ChatLocale } from '../format.ts'
import { chatText } from '../locales/index.ts'
import type { MessageContent, MessagePart } from './message-part.ts'
import type { OutgoingMessage } from './messaging.ts'

type Prompt = Extract<OutgoingMessage, { kind: 'prompt' }>

const questionOf = ({ question }: { question: string | null }, language: Language) =>
  question ?? chatText(language, 'prompt_question')

/** A question that people have written, with a mark at its end, because another sentence follows. */
const asSentence = (question: string) =>
  /[\p{P}\p{S}]\p{M}*$/u.test(question) ? question : `${question}.`

/** The question for news in a channel, or who has stopped these questions. */
export function promptContent(prompt: Prompt, locale: ChatLocale): MessageContent {
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
    name: buttonNames.promptsOn,
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
      name: buttonNames.promptsOff,
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
export function reminderContent(
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
        buttons: [formButton(language, reminder.promptId), remindersButton(language, 'off')],
      },
    ],
  }
}
