export {
  type ConversationPeople,
  converse,
  findConversationPeople,
  type MessageToBot,
  purgeConversations,
  ReplyName,
} from './converse.ts'
export { createMessageReader, type MessageReader } from './read-message.ts'
