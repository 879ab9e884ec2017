import type { ChatPerson, DraftToReview } from './chat/messages/messaging.ts'
import type { NextNewsletter, Submission } from './chat/messages/team-news.ts'

/** What an adapter can ask about its team. */
export interface TeamApi {
  /** Whether a language model reads messages to the bot, so that `compose` can return one. */
  readsMessages: boolean
  /** Up to 100 events whose name contains `search`, soonest first. */
  events(search: string): Promise<{ slug: string; name: string }[]>
  /** The newest ten items that a person of the chat sent or wrote. */
  submissions(user: string): Promise<Submission[]>
  /** The newsletter that is sent next; null while none is in preparation. */
  nextNewsletter(): Promise<NextNewsletter | null>
  /** How many drafts wait for a review, and how many blocks wait for a newsletter. */
  counts(): Promise<{ drafts: number; approved: number }>
  /** A draft for a person who may change it; otherwise why they get none. */
  draftToEdit(
    person: ChatPerson,
    blockId: string,
  ): Promise<DraftToEdit | 'not_linked' | 'viewer' | 'missing'>
  /** Creates the page on which a person says which member they are. Only that person may see its address. */
  accountLink(person: { user: string; name: string }): Promise<string>
  /** What a person has written to the bot last, if it is in no draft yet. */
  unreadText(userId: string): Promise<UnreadText | null>
  /** Whether a person may review. */
  isEditor(person: ChatPerson): Promise<boolean>
  /** What the home of a person shows now. */
  home(person: { userId: string; isEditor: boolean }): Promise<HomeContent>
  /** Stores what a person sees in the home that they have opened or used, so that it is published again when it changes. */
  homeShown(home: { userId: string; isEditor: boolean; fingerprint: string }): Promise<void>
}

/** What a person has written to the bot, for a form. */
export interface UnreadText {
  /** The form names it when it is submitted, as `unreadId` of its contributors. */
  id: string
  /** Markdown. */
  text: string
  fromPrivate: boolean
  /** Its image, as the adapter can fetch it, and what it shows. */
  image: { file: string; file_alt?: string } | null
}

/** What the home of a person in a chat shows. */
export interface HomeContent {
  submissions: Submission[]
  next: NextNewsletter | null
  /** Null for people who do not review. */
  editorial: {
    /** The ten oldest drafts of the last weeks. */
    drafts: DraftToReview[]
    /** The page with all drafts; null when these are all. */
    allDraftsUrl: string | null
    /** The newest questions that the connection has asked. */
    prompts: PostedPrompt[]
  } | null
  /** A digest of the rest. */
  fingerprint: string
}

/** A draft that a person may change. */
export interface DraftToEdit {
  id: string
  version: number
  title: string
  body: string
  body_format: 'html' | 'text'
  /** Its page in Tidings. */
  url: string
}

/** A question that was asked in a channel. */
export interface PostedPrompt {
  /** Null for the standard question. */
  question: string | null
  /** The id of the channel. */
  channel: string
  /** `YYYY-MM-DD`. */
  day: string
  replies: number
}
