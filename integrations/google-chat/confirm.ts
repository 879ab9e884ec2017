import type { Language } from '../../src/contract/vocabulary.ts'
import { button } from '../kit/chat/buttons.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import { type Card, functionButton, paragraph } from './cards.ts'
import type { Event } from './event.ts'
import { escapeForCard } from './text.ts'

const questions = {
  [button.decline]: {
    title: 'review_decline_title',
    text: 'review_decline_text',
    label: 'review_decline',
  },
  [button.promptsOff]: {
    title: 'prompts_off_title',
    text: 'prompts_off_text',
    label: 'prompts_off',
  },
} as const

const isQuestion = (name: string): name is keyof typeof questions => name in questions

/** The dialog in which a person confirms the use of a button; undefined for one that needs no confirmation. */
export function confirmForm(name: string, value: string, language: Language): Card | undefined {
  if (!isQuestion(name)) return undefined
  const { title, text, label } = questions[name]
  const confirm = functionButton(chatText(language, label), name, {
    parameters: { value, confirmed: 'yes' },
    isPrimary: true,
  })
  return {
    header: { title: chatText(language, title) },
    sections: [
      {
        widgets: [
          paragraph(escapeForCard(chatText(language, text))),
          { buttonList: { buttons: [confirm] } },
        ],
      },
    ],
  }
}

/** Whether an event comes from the button of such a dialog. */
export const isConfirmed = ({ common }: Event): boolean => common?.parameters['confirmed'] === 'yes'
