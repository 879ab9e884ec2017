import type * as v from 'valibot'
import type { IngestPayload } from '../../src/contract/ingest.ts'
import type { SettingsSchema } from '../../src/contract/settings.ts'
import type { Language } from '../../src/contract/vocabulary.ts'

export { flag, list, type SettingsSchema, secret } from '../../src/contract/settings.ts'

/** A request as the provider sent it: signatures are checked over `body`, byte for byte. */
export interface RawRequest {
  /** In upper case. */
  method: string
  /** The URL that the provider called, as it is configured there: some providers sign it. */
  url: URL
  headers: Headers
  body: Uint8Array
}

/** The response to the provider's request. Without a body the response is empty. */
export interface Reply {
  status?: number
  /** Headers that the provider expects, such as an echo of its own header. */
  headers?: Record<string, string>
  /** An object is sent as JSON, a string as plain text. */
  body?: object | string
}

/** A value that can be stored as JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type Received<Event> =
  | {
      kind: 'event'
      /** The provider's id of this delivery. A second delivery with the same id does nothing. */
      deliveryId: string
      /**
       * The provider's name of the event, for the filter `events`; one of the adapter's `events`.
       */
      eventName?: string
      event: Event
      /**
       * Data that is needed to finish, such as a response address. It is stored encrypted and
       * deleted when the delivery is settled.
       */
      ephemeralContext?: Json
      reply?: Reply
      providerSettings?: ProviderSettings
    }
  /** Several events in one request. Each is stored, forwarded and replayed separately. */
  | { kind: 'events'; events: { deliveryId: string; eventName?: string; event: Event }[] }
  /**
   * A request that makes no item, such as a ping, a challenge or a dialog to open. Nothing is
   * stored.
   */
  | { kind: 'immediateReply'; reply: Reply; after?: FollowUp; providerSettings?: ProviderSettings }
  /** A known event that makes no item. It is listed with its reason. */
  | {
      kind: 'ignored'
      deliveryId: string
      reason: string
      /** Set when a setting is the reason: it is stored, so that the delivery can be replayed. */
      event?: Event
      reply?: Reply
    }
  /**
   * An event that the adapter does not know: the response is 200, and the event is logged and
   * counted.
   */
  | { kind: 'unknown'; eventName: string }
  /** A request that is not from the provider or cannot be read. Nothing is stored. */
  | { kind: 'rejected'; status: 400 | 401; reason: string }

/**
 * Work for after the response, such as opening a dialog. A failure is logged and does not change
 * the response.
 */
export type FollowUp = (provider: ProviderApi) => Promise<void>

/**
 * Settings that the provider sent, such as its workspace or a verification token. They are added
 * and never overwritten.
 */
export type ProviderSettings = Record<string, string>

export type Composed =
  /** Each item is posted to ingest with the key of the connection. */
  | {
      kind: 'items'
      items: Item[]
      /**
       * An item that is already in the library is updated as below; otherwise it stays as it is.
       */
      replace?: true
      asOf?: AsOf
    }
  /**
   * Items that exist have changed. The block that this connection created under the `external_id`
   * is updated while it is in no newsletter: `publish_after` always, the text only while it is a
   * draft that no person has edited. Without such a block nothing is created or stored.
   */
  | { kind: 'revise'; items: IngestPayload[]; asOf?: AsOf }
  /**
   * Blocks of this connection that are in no newsletter are removed. An earlier event that would
   * still `replace` or `revise` them creates no block afterwards. The same applies to an item without
   * `asOf` that is received up to a day after the withdrawal, if it was not received before.
   */
  | {
      kind: 'withdraw'
      externalIds: string[]
      /** Blocks that were created earlier stay; RFC 3339. */
      createdAfter?: string
    }
  | { kind: 'ignored'; reason: string }

/**
 * An item as it is posted to ingest. The host does not send the fields that ingest does not know.
 */
export interface Item extends IngestPayload {
  group?: Group
  /** An image of the message, which the host fetches with `fetchAttachment`. It is stored: no secrets. */
  attachment?: Attachment
  /** Set by the host: why the item has no image. */
  withoutImage?: string
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
type AsOf = string

/** A block in the library, for the message that says where the content is. */
export interface DeliveredBlock {
  id: string
  title: string
  /** The page on which the sender sees what happens to it, without an account. */
  url: string
  /** False when the same item was in the library before. */
  created: boolean
  externalId: string | null
}

/** The provider's API, called over https at public addresses only, without redirects. */
export interface ProviderApi {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
}

/** A sent newsletter, as it is posted to a channel. */
export interface PostedNewsletter {
  title: string
  /** The titles of its blocks, in order. */
  headlines: readonly string[]
  sentAt: Date
  /** The page of the newsletter; null when readers have none. */
  url: string | null
}

export interface PostContext<Settings> {
  newsletter: PostedNewsletter
  settings: Settings
  provider: ProviderApi
  /** The language of the team, for the sentences that an adapter adds. */
  language: Language
}

/** What an adapter can ask about its team. */
export interface TeamApi {
  /** Up to 100 events whose name contains `search`, soonest first. */
  events(search: string): Promise<{ slug: string; name: string }[]>
}

export interface ReceiveContext<Settings> {
  settings: Settings
  now: Date
  team: TeamApi
  /** The language of the team, for words in place of unknown names. */
  language: Language
}

export interface ComposeContext<Settings, Event> {
  event: Event
  ephemeralContext: Json
  settings: Settings
  provider: ProviderApi
  now: Date
  /** The language of the team, for the sentences that an adapter adds. */
  language: Language
}

export interface AttachmentContext<Settings> {
  attachment: Attachment
  settings: Settings
  provider: ProviderApi
}

export interface DeliveredContext<Settings, Event> extends ComposeContext<Settings, Event> {
  /** After a withdrawal: the blocks that stay, because they are in a newsletter. */
  blocks: DeliveredBlock[]
}

export interface FailedContext<Settings, Event> extends ComposeContext<Settings, Event> {
  /** The reason in the list of deliveries, for admins. */
  reason: string
}

/**
 * The adapter of one provider. The name of its folder is the slug; see `integrations/README.md`.
 */
export interface Adapter<Schema extends SettingsSchema = SettingsSchema, Event = unknown> {
  slug: string
  name: string
  category: 'chat' | 'hr' | 'tracker' | 'notes'
  settings: Schema
  /**
   * Names of the events that can become items, from which the filter `events` selects; `*` matches
   * any characters.
   */
  events?: readonly string[]
  /** Whether items can have a `group`, so that the setting `group` applies. */
  groups?: true
  /** Methods of the requests that `receive` handles. Default: POST only. */
  methods?: readonly ('GET' | 'HEAD' | 'POST')[]
  /**
   * Where the event of a request happened, such as a channel id or a repository, for the routes of a
   * connection; undefined for requests without such a place. The request is not verified yet, so the
   * result only selects the connection whose settings verify it.
   */
  sourceOf?(request: RawRequest): string | undefined
  /** Verifies the raw bytes, then picks the allowed fields. It makes no network requests. */
  receive(
    request: RawRequest,
    context: ReceiveContext<v.InferOutput<Schema>>,
  ): Promise<Received<Event>>
  /**
   * Composes items from a stored event. It may read from the provider's API and is retried when it
   * throws.
   */
  compose(context: ComposeContext<v.InferOutput<Schema>, Event>): Promise<Composed>
  /**
   * Fetches the content of an attachment, with the credentials of the connection and from the hosts of
   * the provider only. Throws a `ProviderError`; `refused` ends the attempts.
   */
  fetchAttachment?(context: AttachmentContext<v.InferOutput<Schema>>): Promise<Uint8Array>
  /** Runs after the blocks were created or removed; up to three times when it throws. */
  onDelivered?(context: DeliveredContext<v.InferOutput<Schema>, Event>): Promise<void>
  /**
   * Runs instead after a delivery has failed, to inform the person who had an answer that the content
   * was saved.
   */
  onFailed?(context: FailedContext<v.InferOutput<Schema>, Event>): Promise<void>
  /** How sent newsletters are posted to a channel. */
  posting?: {
    /** The name of the setting with the channel. Without it, the connection posts nothing. */
    setting: string
    /**
     * Posts a newsletter. Throws a `ProviderError`: `refused` and `rate_limited` mean that it was not
     * posted, `unavailable` that it may be.
     */
    post(context: PostContext<v.InferOutput<Schema>>): Promise<void>
  }
  /** The text that an admin pastes at the provider. */
  setup?(urls: { hook: string; base: string }): string
}

/** Returns the adapter, with the types of its settings and events inferred. */
export function defineAdapter<Schema extends SettingsSchema, Event>(
  adapter: Adapter<Schema, Event>,
): Adapter<Schema, Event> {
  return adapter
}
