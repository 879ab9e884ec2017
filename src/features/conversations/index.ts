export {
  type ConversationPeople,
  converse,
  findConversationPeople,
  findUnreadText,
  purgeConversations,
  ReplyName,
} from './converse.ts'
export { createMessageReader, type MessageReader } from './read-message.ts'
