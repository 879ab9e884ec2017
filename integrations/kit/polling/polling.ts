import type { Language } from '../../../src/contract/vocabulary.ts'
import type { ProviderApi } from '../requests/provider-request.ts'
import type { Json } from '../requests/received.ts'

/** An entry of a source: what one item is about. */
export interface SourceEntry<Event> {
  /** Identifies it within the source, at most 200 plain characters; see `keyPart`. */
  key: string
  /** Differs when readers see another text; then the entry becomes an event again. Default: it never changes. */
  version?: string
  /** When it is over, for entries about a time to come. */
  endsAt?: Date
  /** The name of its event, for the filter `events`. */
  eventName: string
  /** What is stored of it, picked like the fields of a webhook request. */
  event: Event
}

/** What a poll has found. */
export type PollResult<Event> =
  /** Nothing has changed since the last poll. */
  | { kind: 'unchanged' }
  /**
   * All entries of the source, also those of earlier polls. With `completeUntil`, the source has more entries than can be
   * listed: none is left out that is over before that time.
   */
  | { kind: 'entries'; entries: SourceEntry<Event>[]; state: Json; completeUntil?: Date }
  /** The source has ended for good. It is not read again until somebody changes the settings. */
  | { kind: 'ended'; reason: string }

/** A document of a source. It can be copied to another thread. */
export interface SourceDocument {
  bytes: Uint8Array
  contentType: string
  /** Its address after redirects. */
  address: string
}

/** What a document is read with. It can be copied to another thread. */
export interface DocumentContext<Settings> {
  settings: Settings
  now: Date
  /**
   * What the keys of entries begin with whose ids are unique only within their source: empty for the first address of a
   * connection, and different for each later one.
   */
  idPrefix: string
}

export interface PollContext<Settings, Event> extends DocumentContext<Settings> {
  provider: ProviderApi
  /** Reads a document with {@link Polling.read}, in a thread of its own. */
  read(document: SourceDocument): Promise<SourceEntry<Event>[] | null>
  /** What the last poll of this source returned; null for the first one. */
  state: Json
  language: Language
}

/** How an adapter reads a source that sends no requests. The host decides when, and what is new. */
export interface Polling<Settings, Event> {
  /** The address of the source. When it changes, the source is read from the start, and entries with other keys are new. */
  source(settings: Settings): string
  /** The time between two polls. */
  intervalMinutes(settings: Settings): number
  /**
   * Reads all entries of the source. Throws a `ProviderError` when that is not possible: the poll is repeated later
   * and later, and the connection shows the message.
   */
  poll(context: PollContext<Settings, Event>): Promise<PollResult<Event>>
  /**
   * The entries of a document; null when it is none of this kind. A large document can take seconds, so that `poll` calls it
   * through its context: then no other request waits.
   */
  read(document: SourceDocument, context: DocumentContext<Settings>): SourceEntry<Event>[] | null
  /** The entries that become items when a source is read for the first time. Default: all. */
  firstNews?(entries: readonly SourceEntry<Event>[]): readonly SourceEntry<Event>[]
  /** The event for an entry that is missing before it is over, such as a cancelled appointment. Default: none. */
  withdrawal?(key: string): { eventName: string; event: Event }
}
