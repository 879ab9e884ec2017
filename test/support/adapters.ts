import { setSystemTime } from 'bun:test'
import * as v from 'valibot'
import type {
  Adapter,
  Composed,
  Json,
  ProviderApi,
  RawRequest,
  ReceiveContext,
  Received,
} from '../../integrations/adapter.ts'

/** What came of a request, in the words of the `*.expected.json` files. */
export type Outcome =
  | { items: unknown[]; replace?: true }
  | { revise: unknown[] }
  | { withdraw: string[] }
  | { ignored: string }
  | { handshake: unknown }
  | { unknown: string }
  | { rejected: number; reason: string }
  | { each: Outcome[] }

/** The moment at which requests are played. */
export const playedAt = new Date('2026-11-20T09:00:00Z')

/** Answers no call, for adapters that need none. */
const noProvider: ProviderApi = {
  fetch: (url) => Promise.reject(new Error(`no call expected, got ${url}`)),
}

/**
 * Takes a request the way the host does: settings parsed, each event stored as JSON and read again
 * before it is composed. `stored` is a list when the request held several events.
 */
export async function play(
  adapter: Adapter,
  request: RawRequest,
  rawSettings: unknown,
  world: World = {},
): Promise<{ outcome: Outcome; received: Received<unknown>; stored?: Json; deliveryId?: string }> {
  const settings = v.parse(adapter.settings, rawSettings)
  const now = world.now ?? playedAt
  const team = { events: async () => world.events ?? [] }
  const context = { settings, now, team }
  // The providers' own libraries read the system's clock.
  setSystemTime(now)
  const received = await adapter.receive(request, context).finally(() => setSystemTime())
  switch (received.kind) {
    case 'ignored':
      return { received, outcome: { ignored: received.reason }, deliveryId: received.deliveryId }
    case 'handshake':
      return { received, outcome: { handshake: received.reply } }
    case 'unknown':
      return { received, outcome: { unknown: received.eventName } }
    case 'rejected':
      return { received, outcome: { rejected: received.status, reason: received.reason } }
    case 'event':
      return {
        ...(await compose(adapter, context, received, world)),
        received,
        deliveryId: received.deliveryId,
      }
    case 'events': {
      const played = await Promise.all(
        received.events.map((one) => compose(adapter, context, one, world)),
      )
      const each = played.map(({ outcome }) => outcome)
      return { received, outcome: { each }, stored: played.map(({ stored }) => stored) }
    }
  }
}

/** What an adapter finds around it. */
interface World {
  now?: Date
  provider?: ProviderApi
  events?: { slug: string; name: string }[]
}

async function compose(
  adapter: Adapter,
  { settings, now }: ReceiveContext<object>,
  { event, transient = null }: { event: unknown; transient?: Json },
  { provider = noProvider }: World,
): Promise<{ outcome: Outcome; stored: Json }> {
  const stored: Json = JSON.parse(JSON.stringify(event))
  const composed = await adapter.compose({ event: stored, transient, settings, provider, now })
  return { outcome: outcomeOf(composed), stored }
}

function outcomeOf(composed: Composed): Outcome {
  switch (composed.kind) {
    case 'items':
      return { items: composed.items, ...(composed.replace && { replace: true }) }
    case 'revise':
      return { revise: composed.items }
    case 'withdraw':
      return { withdraw: composed.externalIds }
    case 'ignored':
      return { ignored: composed.reason }
  }
}

/** Every item an outcome holds, new or revised. */
export function itemsOf(outcome: Outcome): unknown[] {
  if ('each' in outcome) return outcome.each.flatMap(itemsOf)
  if ('revise' in outcome) return outcome.revise
  return 'items' in outcome ? outcome.items : []
}

/** A POST with these headers and this body. */
export function post(headers: Record<string, string>, body: string | Uint8Array): RawRequest {
  return {
    method: 'POST',
    headers: new Headers(headers),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}
