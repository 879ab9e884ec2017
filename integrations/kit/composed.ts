import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { ChatAction } from './chat/actions.ts'
import type { ChatPerson } from './chat/messages/messaging.ts'

export type Composed =
  /** Each item is posted to ingest with the key of the connection. */
  | {
      kind: 'items'
      items: Item[]
      /**
       * An item that is already in the library is updated as below; otherwise it stays as it is. A block that people have
       * deleted is created again only after a withdrawal, or by a replay.
       */
      updateExisting?: true
      sourceUpdatedAt?: SourceUpdatedAt
      /** A command with which a person continues a conversation with the bot. */
      continues?: ContinuedConversation
      /** The news or its image comes from a private conversation, so that no channel shows it for a review. */
      fromPrivate?: true
      /** Set by the host: words of a conversation, which has gone on, so that a replay posts the same items. */
      fromConversation?: true
      /** Set by the host: what the settings of the connection replaced in each item. */
      beforeSettings?: Pick<Item, 'block_type' | 'event_slug' | 'auto_ready'>[]
    }
  /**
   * Items that exist have changed. The block that this connection created under the `external_id`
   * is updated while it is in no newsletter: `publish_after` always, the text only while it is a
   * draft that no person has edited. Without such a block nothing is created or stored.
   */
  | { kind: 'update'; items: IngestPayload[]; sourceUpdatedAt?: SourceUpdatedAt }
  /**
   * Blocks of this connection that are in no newsletter are removed. An earlier event that creates or
   * updates them creates no block afterwards. The same applies to an item without `sourceUpdatedAt`
   * that is received up to a day after the withdrawal, if it was not received before.
   */
  | {
      kind: 'withdraw'
      externalIds: string[]
      /** Blocks that were created earlier stay; RFC 3339. */
      createdAfter?: string
      /** How the delivery ids of events begin that save such blocks: what another event has saved, too, stays. */
      savedBy?: string
      /** Events of the team's calendar that end with the blocks, unless a block stays. */
      eventSlugs?: string[]
    }
  /** A person wrote to the bot: the host reads it with a language model, replies, and posts what is complete. */
  | { kind: 'message'; message: MessageToBot }
  /** Somebody used a button of a message. `onAction` gets the result. */
  | { kind: 'action'; action: ChatAction; person: ChatPerson }
  | { kind: 'ignored'; reason: string }

/**
 * An item as it is posted to ingest. The host does not send the fields that ingest does not know.
 */
export interface Item extends IngestPayload {
  group?: Group
  /** An image of the message, which the host fetches with `fetchAttachment`. It is stored: no secrets. */
  attachment?: Attachment
  /** The event that the item announces, which is added to the calendar of the team or updated there. */
  calendarEvent?: CalendarEvent
  /** Set by the host: why the item has no image. */
  withoutImage?: string
}

interface CalendarEvent {
  slug: string
  name: string
  /** `YYYY-MM-DD`. */
  date: string
}

/** A file of a message. */
export interface Attachment {
  /** The id or the address of the file at the provider. */
  file: string
  /** What the image shows, if its author has said so. */
  alt?: string
}

/** Items of one repository or project, which a connection can collect in one block a week. */
interface Group {
  /** Such as `github:releases:4711`. An item of a group must be complete as a block of its own. */
  key: string
  /** The name of several of them in a title, such as `releases of acme/web`. */
  name: string
  /** Collected only with `group=week_all`, because such an item usually deserves its own block. */
  onRequest?: true
}

/**
 * The time to which the item refers, RFC 3339: an older state never replaces a newer one. It is the
 * provider's time of the change, or `now` where the provider was asked. Default: the time at which
 * the event was received.
 */
type SourceUpdatedAt = string

/** The open question of a conversation ends with the command, whose news has the image that was sent before it. */
export interface ContinuedConversation {
  /** As in {@link MessageToBot}. */
  conversation: string
  /** The name of the command. */
  command: string
}

/** What a person wrote to the bot. */
export interface MessageToBot {
  /** The same for all messages of the person in this place, at most 255 characters. */
  conversation: string
  /** The id of the person. */
  user: string
  /** Markdown, with names in place of ids. */
  text: string
  /** Whether it was written in private, so that no channel shows it for a review. */
  fromPrivate: boolean
  /** The ids of the people whom it mentions. */
  people: readonly string[]
  /** Where the bot replies: to the person, or in a channel where everybody reads the question. */
  reply: { to: 'person' | 'channel'; recipient: string; thread: string | null }
  /** What the item has besides its text. */
  item: {
    external_id: string
    source_url?: string
    author?: string
    file?: string
    /** What the image shows. */
    file_alt?: string
  }
}
