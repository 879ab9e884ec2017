import type * as v from 'valibot'
import type { SettingsSchema } from '../../src/contract/settings.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import type { ActionResult } from './chat/actions.ts'
import type { Contributors } from './chat/contributors.ts'
import type { Messaging } from './chat/messages/messaging.ts'
import type { Attachment, Composed } from './composed.ts'
import type { AppInstaller } from './installer.ts'
import type { Polling } from './polling/polling.ts'
import type { ProviderApi } from './requests/provider-request.ts'
import type { PublishedKeys } from './requests/published-keys.ts'
import type { Json, RawRequest, Received } from './requests/received.ts'
import type { SocketMode } from './socket.ts'
import type { TeamApi } from './team-api.ts'

export { flag, list, type SettingsSchema, secret } from '../../src/contract/settings.ts'

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

/** A sent newsletter, as it is posted to a channel. */
export interface PostedNewsletter {
  title: string
  /** The titles of its blocks, in order. */
  headlines: readonly string[]
  /** The image at the top, and what it shows (empty when it only decorates); null for none. */
  cover: { url: string; alt: string } | null
  /** The page of the newsletter; null when readers have none. */
  url: string | null
}

export interface PostContext<Settings> {
  /** Identifies the post, for chats that recognize a repeated request by it. */
  id: string
  newsletter: PostedNewsletter
  /** One of the channels of {@link Adapter.posting}; empty for an adapter that names none. */
  channel: string
  settings: Settings
  provider: ProviderApi
  /** The language of the team, for the sentences that an adapter adds. */
  language: Language
}

/** How a newsletter was posted: an error of a webhook says nothing about the token of the connection. */
export type PostedWith = 'token' | 'webhook'

export interface FindPostContext<Settings> extends PostContext<Settings> {
  /** When the post was planned: it was not posted earlier. */
  since: Date
}

/** `unknown` when the chat does not show that to the app. */
export type FoundPost = 'posted' | 'missing' | 'unknown'

export interface ReceiveContext<Settings> {
  settings: Settings
  now: Date
  team: TeamApi
  /** The language of the team, for words in place of unknown names. */
  language: Language
  /** The keys that providers publish, for requests with a token that one of them has signed. */
  keys: PublishedKeys
  /** For what the response to a request needs from the provider; everything else is done after it. */
  provider: ProviderApi
  /** Of the operator's app: the workspaces whose connections get the request, the most specific first. */
  workspaceIds?: readonly string[]
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
  /** The webhook URL of the connection, for chats in whose messages each button has one. */
  webhookUrl: string
  /** After a withdrawal: the blocks that stay, because they are in a newsletter. */
  blocks: DeliveredBlock[]
}

export interface ActionContext<Settings, Event> extends ComposeContext<Settings, Event> {
  /** The webhook URL of the connection, for chats in whose messages each button has one. */
  webhookUrl: string
  result: ActionResult
  team: TeamApi
}

export interface HomeContext<Settings> {
  settings: Settings
  provider: ProviderApi
  team: TeamApi
  language: Language
  /** The id of the person. */
  user: string
}

export interface RegistrationContext<Settings> {
  settings: Settings
  provider: ProviderApi
  /** The webhook URL of the connection. */
  webhookUrl: string
}

/** What a provider has registered. */
export interface Registered {
  settings: Record<string, string>
  /** What was not registered, and what to do; null when everything was. */
  problem: string | null
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
  category: 'chat' | 'hr' | 'tracker' | 'notes' | 'feed'
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
  /**
   * Verifies the raw bytes, then picks the allowed fields. It requests only what its response needs, through `provider` and
   * within the time in which the provider expects a response, and published keys through `keys`; without them it throws a
   * `ProviderError`. For an adapter with `polling`, the body is a document of the source, which only dry runs pass.
   */
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
   * Runs instead after a delivery has failed, to inform the person who had a reply that the content
   * was saved.
   */
  onFailed?(context: FailedContext<v.InferOutput<Schema>, Event>): Promise<void>
  /** Runs after an action, to inform the person who used the button; up to three times when it throws. */
  onAction?(context: ActionContext<v.InferOutput<Schema>, Event>): Promise<void>
  /**
   * The people who get messages about the status of the blocks of an event; it may read from the provider's API. Their ids
   * are stored with the blocks, and encrypted with the delivery until it is settled. After a failure they stay with it for
   * 90 days, for a replay; so do the composed items of a conversation or of private news, which are not encrypted.
   */
  contributors?(
    context: ComposeContext<v.InferOutput<Schema>, Event>,
  ): Promise<Contributors | undefined> | Contributors | undefined
  /** Publishes the home of a person again, who has opened it before. Throws a `ProviderError`. */
  publishHome?(context: HomeContext<v.InferOutput<Schema>>): Promise<void>
  /** How messages are sent to people and channels. */
  messaging?: Messaging<v.InferOutput<Schema>>
  /**
   * Names of the secret settings with which a connection that was disconnected works again. An `installer` has to
   * fill in all of them. All secret settings when left out.
   */
  tokenSettings?: readonly string[]
  /** What the provider has to know before a connection works, such as the commands of a bot. */
  registration?: {
    /** Changes with everything that is registered. Null when the settings lack what that needs. */
    fingerprint(settings: v.InferOutput<Schema>, webhookUrl: string): string | null
    /**
     * Registers it, in place of what is registered. Returns secret settings that the provider has given for it, which
     * apply in addition to those that people have entered, and what could not be registered. Throws a `ProviderError`.
     */
    register(context: RegistrationContext<v.InferOutput<Schema>>): Promise<Registered | null>
    /** Removes it when the connection is removed. Throws a `ProviderError`. */
    unregister?(context: RegistrationContext<v.InferOutput<Schema>>): Promise<void>
  }
  /** How admins add the operator's app to their workspace. */
  installer?: AppInstaller
  /** How a source is read on a schedule. Such a connection has no webhook. */
  polling?: Polling<v.InferOutput<Schema>, Event>
  /** How requests come over a socket that the service opens, where the provider cannot reach it. */
  socket?: SocketMode<v.InferOutput<Schema>, Event, ReceiveContext<v.InferOutput<Schema>>>
  /** How sent newsletters are posted to a channel. */
  posting?: {
    /** The names of the settings with a channel: one of them is enough. */
    settings: readonly string[]
    /** The ids of the channels in the settings that are not secret, for a chat that can have several. */
    channels?(settings: Readonly<Record<string, unknown>>): string[]
    /**
     * Posts a newsletter. Throws a `ProviderError`: `refused` and `rate_limited` mean that it was not
     * posted, `unavailable` that it may be.
     */
    post(context: PostContext<v.InferOutput<Schema>>): Promise<PostedWith>
    /** Whether a post that was not confirmed is in its channel. Throws a `ProviderError`. */
    find(context: FindPostContext<v.InferOutput<Schema>>): Promise<FoundPost>
  }
  /**
   * The package (ZIP) with which admins install their app at the provider; null while a setting is missing. It gets the
   * settings that are not secret, the base URL of the service, and the time at which the package is made.
   */
  appPackage?(
    settings: Readonly<Record<string, unknown>>,
    base: string,
    now: Date,
  ): Promise<Uint8Array | null>
  /** The text that an admin pastes at the provider. */
  setup?(urls: { webhookUrl: string; base: string }): string
}

/** Returns the adapter, with the types of its settings and events inferred. */
export function defineAdapter<Schema extends SettingsSchema, Event>(
  adapter: Adapter<Schema, Event>,
): Adapter<Schema, Event> {
  return adapter
}
