import { truncateLineUtf16 } from '../../text/fit-length.ts'
import type { MessageButton } from '../buttons.ts'

const titleCharacters = 150

/** A part of a message. All texts are plain text, except that of a note. */
export type MessagePart =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; heading: string | null; items: string[] }
  /** A draft: its title is a link, its author and the beginning of its text follow in lines. */
  | { kind: 'draft'; title: string; url: string; lines: string[] }
  /** A remark, in the format of the chat: it can mention a person. */
  | { kind: 'note'; text: string }
  | { kind: 'buttons'; buttons: MessageButton[] }

/** A message for a person or a channel: its text for notifications, as plain text, and its parts. */
export interface MessageContent {
  notification: string
  parts: MessagePart[]
}

/** A title in one line of at most 150 characters. */
export const shortTitle = (title: string): string => truncateLineUtf16(titleCharacters, title)
