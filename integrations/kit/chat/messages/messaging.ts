import type { Language } from '../../../../src/contract/vocabulary.ts'
import type { ProviderApi } from '../../requests/provider-request.ts'
import type { NextNewsletter, Submission } from './team-news.ts'

/** A person, as the chat knows them. */
export interface ChatPerson {
  id: string
  name: string
  /** False for an account that was deactivated, and for an app. */
  isActive: boolean
  /** An address that the chat has verified, of a person of this workspace; null when there is none. */
  email: string | null
}

/** A person of whom only the id is known. */
export const unknownPerson = (id: string, name = id): ChatPerson => ({
  id,
  name,
  isActive: true,
  email: null,
})

/** What people and channels get from a connection, as its settings say. */
export interface MessagingOptions {
  /** The channel in which new drafts are reviewed; null: none. */
  reviewChannel: string | null
  /** How often new drafts are posted. */
  reviewDigest: 'immediately' | 'hourly' | 'daily'
  /** Whether contributors get messages about the status of their content. */
  notifiesContributors: boolean
  /** When people get no messages, in minutes since midnight; null: never. */
  quietHours: { from: number; to: number } | null
  /** IANA. */
  timeZone: string
}

/** A draft in a message for reviewers. */
export interface DraftToReview {
  id: string
  /** The version that is shown, which a decision names. */
  version: number
  /** Null for content from a private conversation, which is not shown in a channel before it is published. */
  content: {
    title: string
    /** The beginning of its text, as plain text. */
    excerpt: string
    author: string | null
  } | null
  /** The page of the draft in the console. */
  url: string
  state:
    | { kind: 'waiting' }
    /** `by` is the id of the person in the chat; null when it was done in Tidings. */
    | { kind: 'approved' | 'declined'; by: string | null }
}

/** A message to a person or a channel, which each chat shows in its own way. */
export type OutgoingMessage =
  /** New drafts, for the people who review them. */
  | { kind: 'review'; drafts: readonly DraftToReview[] }
  /** The content of a person was published. */
  | {
      kind: 'published'
      newsletter: { title: string; url: string | null }
      /** The titles of the content that the person sent or wrote. */
      contributed: readonly string[]
      /** The titles of the content in which the person is thanked. */
      thanked: readonly string[]
    }
  /** The content that a person sent was declined. */
  | { kind: 'declined'; title: string }
  /** The question for news in a channel. `question` is null for the standard one. */
  | {
      kind: 'prompt'
      promptId: string
      question: string | null
      muted: { by: string | null } | null
    }
  /** A person who sends news regularly is reminded of a question. */
  | { kind: 'reminder'; promptId: string; question: string | null }
  /** The reply of the bot to a message. */
  | { kind: 'reply'; reply: BotReply }

/** What a person is asked for, by what they want to submit. */
type BotQuestion = 'win_what' | 'news_what' | 'kudos_what' | 'kudos_who' | 'welcome_who'

export type BotReply =
  /** `inChannel`: the bot reads the answer only when it is mentioned. */
  | { type: 'question'; question: BotQuestion; inChannel: boolean }
  | { type: 'cancelled' | 'form' | 'unread' }
  | { type: 'next'; next: NextNewsletter | null }
  | { type: 'status'; counts: { drafts: number; approved: number }; next: NextNewsletter | null }
  | { type: 'submissions'; submissions: readonly Submission[] }

/** The names and ids with which a chat finds a message that it has. */
export type MessageReference = Record<string, string>

/** The API of a chat with the settings of one connection. */
export interface MessagingContext<Settings> {
  settings: Settings
  provider: ProviderApi
  language: Language
  /** The webhook URL of the connection, for chats in whose messages each button has one. */
  webhookUrl: string
}

/** Whether a recipient is a person or a channel, where their ids look the same. */
type RecipientKind = 'person' | 'channel'

export interface SendContext<Settings> extends MessagingContext<Settings> {
  /** Identifies the message, so that it is found when nobody knows whether it was sent. */
  id: string
  /** The id of a person or a channel. */
  recipient: string
  to: RecipientKind
  /** The thread in which it is sent, as the adapter has named it; null: none. */
  thread: string | null
  message: OutgoingMessage
}

export interface FindContext<Settings> extends MessagingContext<Settings> {
  id: string
  recipient: string
  to: RecipientKind
  thread: string | null
  /** When the message was stored: it was not sent earlier. */
  since: Date
}

/** How a chat sends messages to people and channels. The host stores, limits and repeats them. */
export interface Messaging<Settings> {
  /** The time between two messages of a connection, by the rate limits of the chat, in milliseconds. */
  intervalMs: number
  /** How many drafts a message for reviewers can have, by the limits of the chat. */
  draftsPerMessage: number
  /** Whether a text is the id of a channel. */
  isChannel(text: string): boolean
  /** Null when the settings lack what messages need, such as a token. */
  options(settings: Settings): MessagingOptions | null
  /** Throws a `ProviderError`. */
  getPerson(context: MessagingContext<Settings> & { user: string }): Promise<ChatPerson>
  /**
   * Sends a message. Throws a `ProviderError`: `refused` and `rate_limited` mean that it was not sent,
   * `unavailable` that it may be.
   */
  send(context: SendContext<Settings>): Promise<MessageReference>
  /**
   * Where a message is that may have been sent; null when it was not, and `unknown` when the chat does not
   * show that to the app. Throws a `ProviderError`.
   */
  find(context: FindContext<Settings>): Promise<MessageReference | null | 'unknown'>
  /** Replaces a message by its present content. Throws a `ProviderError`. */
  update(context: SendContext<Settings> & { reference: MessageReference }): Promise<void>
}
