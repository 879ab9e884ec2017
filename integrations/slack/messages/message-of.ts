import type { Language } from '../../../src/contract/vocabulary.ts'
import type { OutgoingMessage } from '../../kit/chat/messaging.ts'
import {
  declinedMessage,
  publishedMessage,
  reviewMessage,
  type SlackMessageContent,
} from './message-blocks.ts'
import { promptMessage, reminderMessage } from './prompt-blocks.ts'

/** A message in Slack's format. The text of people is never formatted, so that it mentions nobody. */
export function messageOf(message: OutgoingMessage, language: Language): SlackMessageContent {
  switch (message.kind) {
    case 'review':
      return reviewMessage(message.drafts, language)
    case 'published':
      return publishedMessage(message, language)
    case 'declined':
      return declinedMessage(message.title, language)
    case 'prompt':
      return promptMessage(message, language)
    case 'reminder':
      return reminderMessage(message, language)
  }
}
