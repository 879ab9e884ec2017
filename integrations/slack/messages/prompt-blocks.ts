import type { types } from '@slack/bolt'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import type { OutgoingMessage } from '../../kit/chat/messaging.ts'
import { escapeForSlack } from '../../kit/markdown/mrkdwn.ts'
import { button, mention, paragraph, plain, type SlackMessageContent } from './message-blocks.ts'

type Prompt = Extract<OutgoingMessage, { kind: 'prompt' }>
type Reminder = Extract<OutgoingMessage, { kind: 'reminder' }>

const questionOf = ({ question }: { question: string | null }, language: Language) =>
  question ?? chatText(language, 'prompt_question')

/** The question for news in a channel, or who has stopped these questions. */
export function promptMessage(prompt: Prompt, language: Language): SlackMessageContent {
  const question = questionOf(prompt, language)
  return {
    text: escapeForSlack(question),
    blocks: [
      { type: 'header', text: plain(question.slice(0, 150)) },
      paragraph(chatText(language, 'prompt_text')),
      ...(prompt.muted ? stopped(prompt, language) : [promptButtons(prompt, language)]),
    ],
  }
}

function stopped({ promptId, muted }: Prompt, language: Language): types.KnownBlock[] {
  const by = muted?.by ?? null
  const text =
    by === null
      ? chatText(language, 'prompts_stopped')
      : chatText(language, 'prompts_stopped_by', { person: mention(by) })
  return [
    { type: 'context', elements: [{ type: 'mrkdwn', text }] },
    {
      type: 'actions',
      elements: [
        writeButton(promptId, language),
        {
          type: 'button',
          action_id: button.promptsOn,
          value: promptId,
          text: plain(chatText(language, 'prompts_on')),
        },
      ],
    },
  ]
}

const promptButtons = ({ promptId }: Prompt, language: Language): types.ActionsBlock => ({
  type: 'actions',
  elements: [
    writeButton(promptId, language),
    {
      type: 'button',
      action_id: button.promptsOff,
      value: promptId,
      text: plain(chatText(language, 'prompts_off')),
      confirm: {
        title: plain(chatText(language, 'prompts_off_title')),
        text: plain(chatText(language, 'prompts_off_text')),
        confirm: plain(chatText(language, 'prompts_off')),
        deny: plain(chatText(language, 'review_cancel')),
      },
    },
  ],
})

/** The button that opens the form; what is written there counts as a reply to the question. */
const writeButton = (promptId: string, language: Language): types.Button => ({
  type: 'button',
  action_id: button.openForm,
  value: promptId,
  style: 'primary',
  text: plain(chatText(language, 'write_news')),
})

/** The reminder of a question for a person who sends news regularly. */
export function reminderMessage(reminder: Reminder, language: Language): SlackMessageContent {
  const text = chatText(language, 'reminder', { question: questionOf(reminder, language) })
  return {
    text: escapeForSlack(text),
    blocks: [
      paragraph(text),
      {
        type: 'actions',
        elements: [writeButton(reminder.promptId, language), remindersButton(language, false)],
      },
    ],
  }
}

/** The button with which a person turns reminders off, or on again. */
export const remindersButton = (language: Language, isOff: boolean): types.Button => ({
  type: 'button',
  action_id: isOff ? button.remindersOn : button.remindersOff,
  value: isOff ? 'on' : 'off',
  text: plain(chatText(language, isOff ? 'reminders_on' : 'reminders_off')),
})
