import type { IngestPayload } from '../../contract/blocks/ingest.ts'
import type { ConnectionAdapter } from './settings/parse-settings.ts'

/** An adapter as the console shows it. */
export interface Integration extends ConnectionAdapter {
  category: 'chat' | 'hr' | 'tracker' | 'notes' | 'feed'
  /** The settings with a channel to which newsletters are posted: one of them is enough. Empty when it posts none. */
  postingSettings: readonly string[]
  /** The channels of its settings to which newsletters are posted; one with an empty name when it names none. */
  postingChannels(settings: Readonly<Record<string, unknown>>): string[]
  /** Whether its requests name a channel or repository, so that a connection can have routes. */
  hasSources: boolean
  /** Whether it sends messages to people and channels. */
  sendsMessages: boolean
  /** Whether a text is the id of a channel; always false where messages cannot be sent. */
  isChannel(text: string): boolean
  /** How admins add the operator's app; null when there is none. */
  installer: AppInstallation | null
  /**
   * The text that an admin enters at the provider, such as an app manifest; null for most
   * providers.
   */
  setup?(urls: { webhookUrl: string; base: string }): string
  /** The package with which admins install their app at the provider; null while a setting is missing. */
  appPackage?(
    settings: Readonly<Record<string, unknown>>,
    base: string,
    now: Date,
  ): Promise<Uint8Array | null>
  /** Its guide in a language (BCP 47), such as `de`; its README in English when there is none. */
  page(language: string): Promise<IntegrationPage>
  /** The sample requests by name. */
  examples(): Promise<ReadonlyMap<string, SampleRequest>>
  /**
   * What a request would become under these settings, without a call to the provider. Throws an
   * error with a sentence when that is not possible, and `validation_failed` for invalid settings.
   */
  dryRun(sample: SampleRequest, given: Record<string, unknown>): Promise<readonly DryRunItem[]>
}

/** The parts of an integration's README. */
export interface IntegrationPage {
  /** What it is for, as plain text. */
  summary: string
  /** What to do at the provider, as sanitized HTML. */
  guide: string
  /** What is left to do at the provider once a connection with this address exists, as sanitized HTML. */
  remaining(address: string): string
  /** What a setting is called, by its name; empty in English, which uses the label of its schema. */
  labels: ReadonlyMap<string, string>
  /** The meaning of each setting, by its name, as plain text. */
  hints: ReadonlyMap<string, string>
  /** What happens at the provider, by the name of the event, as plain text. */
  events: ReadonlyMap<string, string>
}

/** A provider's request without its signature. */
export interface SampleRequest {
  headers: Record<string, string>
  body: string
}

/** What one event of a request would become. */
export type DryRunItem =
  | { kind: 'items' | 'update'; items: readonly IngestPayload[] }
  | { kind: 'withdraw'; externalIds: readonly string[] }
  | { kind: 'none'; reason: string }

/** A workspace to which an admin has added the operator's app, with its tokens. */
interface InstalledApp {
  workspaceId: string
  /** Empty when the provider does not name it. */
  workspaceName: string
  settings: Record<string, string>
  /** Null for a token that does not expire. */
  expiring: { refreshToken: string; expiresAt: Date } | null
}

/** How admins add the operator's app to their workspace. */
export interface AppInstallation {
  /** The page of the provider on which a person allows the app. */
  authorizeUrl(given: { state: string; redirectUrl: string }): Promise<string>
  /**
   * Exchanges the query of the callback for tokens; null when the person has cancelled. Throws
   * `invalid_transition` with a sentence for the person.
   */
  install(given: { query: URLSearchParams; redirectUrl: string }): Promise<InstalledApp | null>
}
