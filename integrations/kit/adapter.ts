import type * as v from 'valibot'
import type { IngestPayload } from '../../src/contract/ingest.ts'
import type { SettingsSchema } from '../../src/contract/settings.ts'
import type { Language } from './messages/index.ts'

export { flag, list, type SettingsSchema, secret } from '../../src/contract/settings.ts'

/** A request as the provider sent it: signatures are checked over `body`, byte for byte. */
export interface RawRequest {
  /** In upper case. */
  method: string
  /** The URL that the provider called, as people configured it there: some providers sign it. */
  url: URL
  headers: Headers
  body: Uint8Array
}

/** What the provider gets as the answer to its request. Without a body the answer is empty. */
export interface Reply {
  status?: number
  /** Headers that the provider wants to see, such as an echo of its own. */
  headers?: Record<string, string>
  /** An object is sent as JSON, a string as plain text. */
  body?: object | string
}

/** Values plain enough to be stored as JSON. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

export type Received<Event> =
  | {
      kind: 'event'
      /** The provider's own id of this delivery: a second one with the same id does nothing. */
      deliveryId: string
      /** The event as the provider calls it, for the filter `events`; one of the adapter's `events`. */
      eventName?: string
      event: Event
      /** Needed to finish (an address to answer to), not to be kept: encrypted, wiped when settled. */
      transient?: Json
      reply?: Reply
      learned?: ProviderSettings
    }
  /** Several things in one request: each is stored, carried on and replayed by itself. */
  | { kind: 'events'; events: { deliveryId: string; eventName?: string; event: Event }[] }
  /** A conversation that makes no news: ping, challenge, a dialog to open. Nothing is stored. */
  | { kind: 'handshake'; reply: Reply; after?: FollowUp; learned?: ProviderSettings }
  /** Known, and not news; listed with its reason. */
  | {
      kind: 'ignored'
      deliveryId: string
      reason: string
      /** Given when a setting is the reason: it is stored, so that the delivery can be replayed. */
      event?: Event
      reply?: Reply
    }
  /** Of a kind this adapter has never heard of: answered 200, logged and counted. */
  | { kind: 'unknown'; eventName: string }
  /** Not from the provider, or not readable: nothing is stored. */
  | { kind: 'rejected'; status: 400 | 401; reason: string }

/** Work for right after the answer, such as opening a dialog. Its failure is logged, not answered. */
export type FollowUp = (provider: ProviderApi) => Promise<void>

/** Settings the provider told us (its workspace, a verification token): added, never overwritten. */
export type ProviderSettings = Record<string, string>

export type Composed =
  /** Each item is posted to ingest under the connection's own key. */
  | {
      kind: 'items'
      items: Item[]
      /** One that is in the library already is revised as below; otherwise it stays as it is. */
      replace?: true
      asOf?: AsOf
    }
  /**
   * News told before has changed. Of each item the block this connection made under its
   * `external_id` is brought up to date while it is in no issue: `publish_after` always, its text only
   * while it is a draft that no person has edited. Without such a block nothing is made or kept.
   */
  | { kind: 'revise'; items: IngestPayload[]; asOf?: AsOf }
  /**
   * Blocks this connection made and no issue holds are taken back. What an event that came earlier
   * would still `replace` or `revise` makes no block afterwards.
   */
  | { kind: 'withdraw'; externalIds: string[] }
  | { kind: 'ignored'; reason: string }

/** The same result with every item changed. */
export function mapItems<Result extends Extract<Composed, { items: unknown }>>(
  composed: Result,
  change: (item: Item) => Item,
): Result {
  return { ...composed, items: composed.items.map(change) }
}

/** News as it is posted to ingest. The host keeps what ingest does not know to itself. */
export interface Item extends IngestPayload {
  group?: Group
}

/** News of one repository or project, which a connection may gather into one block a week. */
interface Group {
  /** Such as `github:releases:4711`; by itself an item has to be worth a block, too. */
  key: string
  /** What several of them are called in a title, such as `releases of acme/web`. */
  name: string
  /** Only gathered with `group=week_all`: things that mostly deserve a block of their own. */
  onRequest?: true
}

/**
 * The moment that is told of, RFC 3339: older news never replaces newer. The provider's time of the
 * change, or `now` where the provider was asked; left out, the moment the event came.
 */
type AsOf = string

/** A block as it lies in the library, for telling people where their news went. */
export interface DeliveredBlock {
  id: string
  title: string
  /** Where a person sees it. */
  url: string
  /** False when the very same news was there already. */
  created: boolean
  externalId: string | null
}

/** The provider's API, reachable over https at public addresses only, without redirects. */
export interface ProviderApi {
  fetch(url: string | URL, init?: RequestInit): Promise<Response>
}

/** What an adapter may ask about the team it works for. */
export interface TeamApi {
  /** Up to 100 events whose name holds `search`, soonest first. */
  events(search: string): Promise<{ slug: string; name: string }[]>
}

export interface ReceiveContext<Settings> {
  settings: Settings
  now: Date
  team: TeamApi
}

export interface ComposeContext<Settings, Event> {
  event: Event
  transient: Json
  settings: Settings
  provider: ProviderApi
  now: Date
  /** The language of the team, for the sentences that an adapter adds; English when left out. */
  language?: Language
}

export interface DeliveredContext<Settings, Event> extends ComposeContext<Settings, Event> {
  /** After a withdrawal: those that stay, since an issue holds them. */
  blocks: DeliveredBlock[]
}

export interface FailedContext<Settings, Event> extends ComposeContext<Settings, Event> {
  /** What the list of deliveries says, for admins. */
  reason: string
}

/** One provider. The folder's name is the slug; see `integrations/README.md`. */
export interface Adapter<Schema extends SettingsSchema = SettingsSchema, Event = unknown> {
  slug: string
  name: string
  category: 'chat' | 'hr' | 'tracker' | 'notes'
  settings: Schema
  /** Names of the events that can be news, `*` for any characters: what the filter `events` chooses from. */
  events?: readonly string[]
  /** Its items may name a `group`, so that the setting `group` makes sense. */
  groups?: true
  /** Methods of the requests that `receive` handles. Default: POST alone. */
  methods?: readonly ('GET' | 'HEAD' | 'POST')[]
  /** Verifies the raw bytes, then picks the allowed fields. Cheap: no network. */
  receive(
    request: RawRequest,
    context: ReceiveContext<v.InferOutput<Schema>>,
  ): Promise<Received<Event>>
  /** Turns a stored event into news; may read back from the provider, and is retried when it throws. */
  compose(context: ComposeContext<v.InferOutput<Schema>, Event>): Promise<Composed>
  /** Runs once the news lies in the library or was taken back; up to three times if it throws. */
  onDelivered?(context: DeliveredContext<v.InferOutput<Schema>, Event>): Promise<void>
  /** Runs instead when the delivery was given up, for whoever was told that it is on its way. */
  onFailed?(context: FailedContext<v.InferOutput<Schema>, Event>): Promise<void>
  /** What an admin pastes at the provider. */
  setup?(urls: { hook: string; base: string }): string
}

/** Keeps an adapter's own types while the host sees every adapter alike. */
export function defineAdapter<Schema extends SettingsSchema, Event>(
  adapter: Adapter<Schema, Event>,
): Adapter<Schema, Event> {
  return adapter
}
