import type { Language } from '../../../src/contract/vocabulary.ts'
import type { ChatFormat, ChatLocale } from '../../kit/chat/format.ts'
import { escapeForChat } from '../../kit/chat/messages/escape-for-chat.ts'

const format: ChatFormat = {
  mention: (user) => (/^\d{1,20}$/.test(user) ? `<@${user}>` : escapeForChat(user)),
  escape: escapeForChat,
  // The angle brackets prevent that Discord shows a preview of the link.
  link: (url, text) =>
    `[${escapeForChat(text)}](<${url.replace(/[<>()\s]/g, encodeURIComponent)}>)`,
  before: '/',
}

/** Sentences in a language and in Discord's Markdown. */
export const chatLocale = (language: Language): ChatLocale => ({ language, format })
