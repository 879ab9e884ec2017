import type { Language } from '../../../src/contract/vocabulary.ts'
import { confirmationOf } from '../../kit/chat/messages/confirmation.ts'
import { type Card, functionButton, paragraph } from '../messages/cards.ts'
import { escapeForCard } from '../messages/text.ts'
import type { Event } from './event.ts'

/** The dialog in which a person confirms the use of a button; undefined for one that needs no confirmation. */
export function confirmForm(name: string, value: string, language: Language): Card | undefined {
  const question = confirmationOf(name, language)
  if (!question) return undefined
  const confirm = functionButton(question.label, name, {
    parameters: { value, confirmed: 'yes' },
    isPrimary: true,
  })
  return {
    header: { title: question.title },
    sections: [
      {
        widgets: [paragraph(escapeForCard(question.text)), { buttonList: { buttons: [confirm] } }],
      },
    ],
  }
}

/** Whether an event comes from the button of such a dialog. */
export const isConfirmed = ({ common }: Event): boolean => common?.parameters['confirmed'] === 'yes'
