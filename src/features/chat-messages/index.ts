export {
  type ChatMessage,
  endMessageAttempt,
  findSentMessage,
  type MessageOutcome,
  startMessageAttempt,
} from './attempt.ts'
export { listMessages, purgeChatMessages, retryMessage } from './list.ts'
export { secondsOfQuiet } from './quiet-hours.ts'
export {
  chatRetries,
  MessageJobData,
  type QueueContext,
  sendMessageJob,
  sendMessages,
  updateMessage,
  updateMessageJob,
} from './send-jobs.ts'
export type { ChatMessageKind, ChatMessageStatus } from './sql.ts'
