import type { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { ChatAction } from './chat/actions.ts'
import type { Composed, Item } from './composed.ts'
import type { Json, Received } from './requests/received.ts'
import type { TeamApi } from './team-api.ts'

/** A team without events and content, in which dry runs happen. */
export const emptyTeam: TeamApi = {
  readsMessages: false,
  events: async () => [],
  submissions: async () => [],
  nextNewsletter: async () => null,
  counts: async () => ({ drafts: 0, approved: 0 }),
  draftToEdit: async () => 'missing',
  accountLink: async () => 'https://tidings.example/account/chat/dry-run',
  unreadText: async () => null,
  isEditor: async () => false,
  home: async () => ({ submissions: [], next: null, editorial: null, fingerprint: '' }),
  homeShown: async () => {},
}

/** The result of a dry run, in the format of the `*.expected.json` files. */
export type DryRunResult =
  | { items: Item[]; updateExisting?: true }
  | { update: IngestPayload[] }
  | { withdraw: string[] }
  | { action: ChatAction }
  | { message: string }
  | { ignored: string }
  | { immediateReply: unknown }
  | { disconnected: string }
  | { unknown: string }
  | { rejected: number; reason: string }
  | { each: DryRunResult[] }

/** An event as `compose` gets it: stored as JSON and read again. */
export interface StoredEvent {
  eventName?: string | undefined
  event: Json
  ephemeralContext: Json
}

/**
 * Returns what would become of a request that an adapter has received. Throws what `compose`
 * throws.
 */
export async function dryRun(
  received: Received<unknown>,
  compose: (event: StoredEvent) => Promise<Composed>,
): Promise<DryRunResult> {
  switch (received.kind) {
    case 'event':
      return toDryRunResult(await compose(storedEvent(received)))
    case 'events': {
      const events = received.events.map(storedEvent)
      return {
        each: await Promise.all(events.map(async (one) => toDryRunResult(await compose(one)))),
      }
    }
    case 'ignored':
      return { ignored: received.reason }
    case 'immediateReply':
      return { immediateReply: received.reply }
    case 'disconnected':
      return { disconnected: received.reason }
    case 'unknown':
      return { unknown: received.eventName }
    case 'rejected':
      return { rejected: received.status, reason: received.reason }
  }
}

function storedEvent(given: {
  eventName?: string
  event: unknown
  ephemeralContext?: Json
}): StoredEvent {
  const stored = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null))
  const { eventName, event, ephemeralContext } = given
  return { eventName, event: stored(event), ephemeralContext: stored(ephemeralContext) }
}

function toDryRunResult(composed: Composed): DryRunResult {
  switch (composed.kind) {
    case 'items':
      return { items: composed.items, ...(composed.updateExisting && { updateExisting: true }) }
    case 'update':
      return { update: composed.items }
    case 'withdraw':
      return { withdraw: composed.externalIds }
    case 'action':
      return { action: composed.action }
    case 'message':
      return { message: composed.message.text }
    case 'ignored':
      return { ignored: composed.reason }
  }
}
