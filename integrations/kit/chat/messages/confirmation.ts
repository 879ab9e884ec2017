import type { Language } from '../../../../src/contract/vocabulary.ts'
import { buttonNames } from '../buttons.ts'
import type { ChatTexts } from '../locales/en.ts'
import { chatText } from '../locales/index.ts'

/** The question before a button has an effect. */
export interface Confirmation {
  title: string
  text: string
  /** The label of the button that confirms. */
  label: string
}

const keysOf = new Map<string, Record<keyof Confirmation, keyof ChatTexts>>([
  [
    buttonNames.decline,
    { title: 'review_decline_title', text: 'review_decline_text', label: 'review_decline' },
  ],
  [
    buttonNames.promptsOff,
    { title: 'prompts_off_title', text: 'prompts_off_text', label: 'prompts_off' },
  ],
])

/** The texts of the question that a person confirms before a button has an effect; undefined for most buttons. */
export function confirmationOf(name: string, language: Language): Confirmation | undefined {
  const keys = keysOf.get(name)
  return (
    keys && {
      title: chatText(language, keys.title),
      text: chatText(language, keys.text),
      label: chatText(language, keys.label),
    }
  )
}
