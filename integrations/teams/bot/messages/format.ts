import type { Language } from '../../../../src/contract/vocabulary.ts'
import { formatMessage } from '../../../../src/locales/index.ts'
import type { ChatLocale } from '../../../kit/chat/format.ts'
import { escapeForChat } from '../../../kit/chat/messages/escape-for-chat.ts'

/** Sentences in a language and in the Markdown of Teams' messages and cards, with the names of people by id. */
export const chatLocale = (
  language: Language,
  names: ReadonlyMap<string, string> = new Map(),
): ChatLocale => ({
  language,
  format: {
    mention: (user) => escapeForChat(names.get(user) || formatMessage(language, 'someone', {})),
    escape: escapeForChat,
    link: (url, text) => `[${escapeForChat(text)}](${url})`,
    before: '@Tidings ',
  },
})
