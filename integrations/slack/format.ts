import type { Language } from '../../src/contract/vocabulary.ts'
import type { ChatFormat, ChatLocale } from '../kit/chat/format.ts'
import { escapeForSlack } from '../kit/markdown/mrkdwn.ts'

const format: ChatFormat = {
  mention: (user) => (/^[UW][A-Z0-9]+$/.test(user) ? `<@${user}>` : escapeForSlack(user)),
  escape: escapeForSlack,
  link: (url, text) => `<${url.replace(/[<>|]/g, encodeURIComponent)}|${escapeForSlack(text)}>`,
  before: '/',
}

/** Sentences in a language and in Slack's text format. */
export const chatLocale = (language: Language): ChatLocale => ({ language, format })
