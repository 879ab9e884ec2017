import * as v from 'valibot'
import type {
  Adapter,
  Json,
  ProviderApi,
  RawRequest,
  Received,
} from '../../integrations/adapter.ts'

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
): Promise<{ outcome: Outcome; received: Received<Json>; stored?: Json }> {
  const settings = v.parse(adapter.settings, rawSettings)
  const now = playedAt
  const team = { events: async () => world.events ?? [] }
  const received = await adapter.receive(request, { settings, now, team })
  switch (received.kind) {
    case 'ignored':
      return { received, outcome: { ignored: received.reason } }
    case 'handshake':
      return { received, outcome: { handshake: received.reply } }
    case 'unknown':
      return { received, outcome: { unknown: received.eventName } }
    case 'rejected':
      return { received, outcome: { rejected: received.status, reason: received.reason } }
  }
  const stored: Json = JSON.parse(JSON.stringify(received.event))
  const transient = received.transient ?? null
  const composed = await adapter.compose({
    event: stored,
    transient,
    settings,
    provider: world.provider ?? noProvider,
    now,
  })
  switch (composed.kind) {
    case 'items':
      return { received, outcome: { items: composed.items }, stored }
    case 'withdraw':
      return { received, outcome: { withdraw: composed.externalIds }, stored }
    case 'ignored':
      return { received, outcome: { ignored: composed.reason }, stored }
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
