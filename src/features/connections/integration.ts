import type { IngestPayload } from '../../contract/ingest.ts'
import type { ConnectionKind } from './settings.ts'

/** An integration as people find it, set it up and try it. */
export interface Integration extends ConnectionKind {
  category: 'chat' | 'hr' | 'tracker' | 'notes'
  /** What an admin pastes at the provider, if anything. */
  setup?(urls: { hook: string; base: string }): string
  /** What its page says. */
  page(): Promise<IntegrationPage>
  /** Requests to try it with, by their names. */
  examples(): Promise<ReadonlyMap<string, SampleRequest>>
  /**
   * What a request would become under these settings, offline. Throws a sentence where that cannot be
   * told, and `validation_failed` for settings that are not right.
   */
  dryRun(sample: SampleRequest, given: Record<string, unknown>): Promise<readonly DryRunItem[]>
}

/** The parts of an integration's page. */
export interface IntegrationPage {
  /** What it is for, as plain text. */
  summary: string
  /** What to do at the provider, as clean HTML. */
  guide: string
  /** What each setting means, by its name, as plain text. */
  hints: ReadonlyMap<string, string>
}

/** A provider's request without its signature. */
export interface SampleRequest {
  headers: Record<string, string>
  body: string
}

/** What one event of a request comes to. */
export type DryRunItem =
  | { kind: 'items' | 'revise'; items: readonly IngestPayload[] }
  | { kind: 'withdraw'; externalIds: readonly string[] }
  | { kind: 'none'; reason: string }
