import { setSystemTime } from 'bun:test'
import * as v from 'valibot'
import type { Adapter, Json, ProviderApi, RawRequest } from '../../integrations/adapter.ts'

/** What came of a request, in the words of the `*.expected.json` files. */
export type Outcome =
  | { items: unknown[] }
  | { withdraw: string[] }
  | { ignored: string }
  | { handshake: unknown }
  | { unknown: string }
  | { rejected: number; reason: string }

/** The moment at which requests are played. */
export const playedAt = new Date('2026-11-20T09:00:00Z')

/** Answers no call, for adapters that need none. */
const noProvider: ProviderApi = {
  fetch: (url) => Promise.reject(new Error(`no call expected, got ${url}`)),
}

/**
 * Takes a request the way the host does: settings parsed, the event stored as JSON and read again
 * before it is composed.
 */
export async function play(
  adapter: Adapter,
  request: RawRequest,
  rawSettings: unknown,
  world: { provider?: ProviderApi; events?: { slug: string; name: string }[] } = {},
): Promise<{ outcome: Outcome; stored?: Json; deliveryId?: string }> {
  const settings = v.parse(adapter.settings, rawSettings)
  const now = playedAt
  const team = { events: async () => world.events ?? [] }
  // The providers' own libraries read the system's clock.
  setSystemTime(now)
  const received = await adapter
    .receive(request, { settings, now, team })
    .finally(() => setSystemTime())
  switch (received.kind) {
    case 'ignored':
      return { outcome: { ignored: received.reason }, deliveryId: received.deliveryId }
    case 'handshake':
      return { outcome: { handshake: received.reply } }
    case 'unknown':
      return { outcome: { unknown: received.eventName } }
    case 'rejected':
      return { outcome: { rejected: received.status, reason: received.reason } }
  }
  const kept = {
    stored: JSON.parse(JSON.stringify(received.event)),
    deliveryId: received.deliveryId,
  }
  const transient = received.transient ?? null
  const composed = await adapter.compose({
    event: kept.stored,
    transient,
    settings,
    provider: world.provider ?? noProvider,
    now,
  })
  switch (composed.kind) {
    case 'items':
      return { outcome: { items: composed.items }, ...kept }
    case 'withdraw':
      return { outcome: { withdraw: composed.externalIds }, ...kept }
    case 'ignored':
      return { outcome: { ignored: composed.reason }, ...kept }
  }
}

/** A POST with these headers and this body. */
export function post(headers: Record<string, string>, body: string | Uint8Array): RawRequest {
  return {
    method: 'POST',
    headers: new Headers(headers),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}
