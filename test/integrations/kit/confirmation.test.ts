import { expect, test } from 'bun:test'
import { buttonNames } from '../../../integrations/kit/chat/buttons.ts'
import { confirmationOf } from '../../../integrations/kit/chat/messages/confirmation.ts'

test.each([buttonNames.decline, buttonNames.promptsOff])(
  'the chat button %s asks for a confirmation',
  (name) => {
    const question = confirmationOf(name, 'en')
    expect(Object.values(question ?? {})).toEqual([
      expect.stringMatching(/\w/),
      expect.stringMatching(/\w/),
      expect.stringMatching(/\w/),
    ])
  },
)

test.each([buttonNames.approve, 'constructor', '__proto__', 'toString', ''])(
  'a chat button with the name %p asks for no confirmation',
  (name) => {
    expect(confirmationOf(name, 'en')).toBeUndefined()
  },
)
