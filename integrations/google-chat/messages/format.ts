import type { Language } from '../../../src/contract/vocabulary.ts'
import type { ChatLocale } from '../../kit/chat/format.ts'
import { markdownFormat } from '../../kit/chat/forms/edit-text.ts'
import { escapeForMessage, markupToMarkdown } from './text.ts'

/**
 * Sentences in a language and in the format of Google's messages.
 * Source: https://developers.google.com/workspace/chat/format-messages
 */
export const chatLocale = (language: Language): ChatLocale => ({
  language,
  format: {
    mention: (user) => (/^users\/[\w-]+$/.test(user) ? `<${user}>` : escapeForMessage(user)),
    escape: escapeForMessage,
    link: (url, text) => `<${url.replace(/[<>|]/g, encodeURIComponent)}|${escapeForMessage(text)}>`,
    before: '/',
  },
})

/** Sentences for a card, which cannot mention people: it has their names, by id. */
export const cardLocale = (
  language: Language,
  names: ReadonlyMap<string, string>,
  someone: string,
): ChatLocale => ({
  language,
  format: {
    ...chatLocale(language).format,
    mention: (user) => names.get(user) ?? someone,
    escape: (text) => text,
  },
})

/** The format in which people write in Google's dialogs. */
export const markupFormat = (language: Language) => ({
  bold: '*',
  italic: '_',
  struck: '~',
  bullet: '•',
  toHtml: (text: string) => markdownFormat.toHtml(markupToMarkdown(text, language)),
})
