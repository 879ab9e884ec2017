export {
  type ConversationPeople,
  converse,
  endUnreadText,
  endWithCommand,
  findConversationPeople,
  findUnreadText,
  purgeConversations,
} from './converse.ts'
export { ReplyName } from './next-step.ts'
export { createMessageReader, type MessageReader } from './read-message.ts'
