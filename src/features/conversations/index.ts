export {
  type ConversationPeople,
  converse,
  findConversationPeople,
  purgeConversations,
  ReplyName,
} from './converse.ts'
export { createMessageReader, type MessageReader } from './read-message.ts'
