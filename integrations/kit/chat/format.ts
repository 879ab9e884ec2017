import type { Language } from '../../../src/contract/vocabulary.ts'

/** How a chat writes what its sentences contain. */
export interface ChatFormat {
  /** A person, by the id of the chat. */
  mention(user: string): string
  /** Text of people, without formatting, links and mentions. */
  escape(text: string): string
  link(url: string, text: string): string
  /** The text before a command, such as `/` in `/win`. */
  before: string
}

/** The language of a team and the format of its chat. */
export interface ChatLocale {
  language: Language
  format: ChatFormat
}
