import { stripMentions } from '../../kit/chat/messages/item-text.ts'
import { commandTypes } from '../../kit/chat/submissions.ts'

/** A text that notifies nobody and names channels (`~town-square`) as other chats do. */
export const readable = (text: string): string =>
  stripMentions(text).replace(/(?<![\w~])~(?=[a-z])([a-z0-9_-]{2,64})(?![\w~])/g, '#$1')

/** Whether a word is one of the commands that create blocks. */
export const isCommand = (word: string): boolean => commandTypes.has(word.toLowerCase())
