import type { Language } from '../../../src/contract/vocabulary.ts'
import type { ChatAction } from './actions.ts'
import { chatText } from './locales/index.ts'

/** The names of the buttons of messages. A button has one value, such as the id of a draft. */
export const buttonNames = {
  approve: 'approve_draft',
  decline: 'decline_draft',
  edit: 'edit_in_form',
  messagesOff: 'messages_off',
  messagesOn: 'messages_on',
  /** Its value is the id of a question, or {@link emptyForm}. */
  openForm: 'open_form',
  promptsOff: 'prompts_off',
  promptsOn: 'prompts_on',
  remindersOff: 'reminders_off',
  remindersOn: 'reminders_on',
} as const
export type ButtonName = (typeof buttonNames)[keyof typeof buttonNames]

/** The value of the button that opens an empty form. */
export const emptyForm = 'form'

/** A button of a message, which each chat shows in its own way. */
export interface ActionButton {
  kind: 'action'
  name: ButtonName
  value: string
  label: string
  style?: 'primary' | 'danger'
  /** What a person confirms before the button is used, where the chat can ask that. */
  confirm?: { title: string; text: string; cancel: string }
}

/** A button that opens a page. */
interface LinkButton {
  kind: 'link'
  url: string
  label: string
}

export type MessageButton = ActionButton | LinkButton

/** The value of a button that decides about a draft: its id and the version that the message shows. */
export const decisionValue = ({ id, version }: { id: string; version: number }): string =>
  `${id}.${version}`

const review =
  (decision: 'approved' | 'declined') =>
  (value: string): ChatAction => {
    // Buttons of older messages have no version.
    const [blockId = '', version = ''] = value.split('.')
    const shown = /^\d{1,9}$/.test(version) ? Number(version) : null
    return { type: 'review', blockId, version: shown, decision }
  }

/** What each button does, from its value. A button that opens a form is left out. */
const actions: Partial<Record<ButtonName, (value: string) => ChatAction>> = {
  [buttonNames.approve]: review('approved'),
  [buttonNames.decline]: review('declined'),
  [buttonNames.messagesOff]: () => ({ type: 'messages', wanted: false }),
  [buttonNames.messagesOn]: () => ({ type: 'messages', wanted: true }),
  [buttonNames.promptsOff]: (promptId) => ({ type: 'prompts', promptId, muted: true }),
  [buttonNames.promptsOn]: (promptId) => ({ type: 'prompts', promptId, muted: false }),
  [buttonNames.remindersOff]: () => ({ type: 'reminders', wanted: false }),
  [buttonNames.remindersOn]: () => ({ type: 'reminders', wanted: true }),
}

/** The names of the buttons that do something without a form. */
export const actionNames = Object.keys(actions)

/** What a button does; undefined for one that opens a form, and for an unknown one. */
export const actionOfButton = (name: string, value: string): ChatAction | undefined =>
  isButtonName(name) ? actions[name]?.(value) : undefined

const names: readonly string[] = Object.values(buttonNames)

/** Whether a text is the name of a button. */
export const isButtonName = (text: string): text is ButtonName => names.includes(text)

/** The button that opens the form; what is written there counts as a reply to the question `value`. */
export const formButton = (language: Language, value: string = emptyForm): ActionButton => ({
  kind: 'action',
  name: buttonNames.openForm,
  value,
  style: 'primary',
  label: chatText(language, 'write_news'),
})

/** The button with which a person turns messages about their news off, or on again. */
export const messagesButton = (language: Language, turn: 'on' | 'off'): ActionButton => ({
  kind: 'action',
  name: `messages_${turn}`,
  value: turn,
  label: chatText(language, `messages_${turn}`),
})

/** The button with which a person turns reminders off, or on again. */
export const remindersButton = (language: Language, turn: 'on' | 'off'): ActionButton => ({
  kind: 'action',
  name: `reminders_${turn}`,
  value: turn,
  label: chatText(language, `reminders_${turn}`),
})
