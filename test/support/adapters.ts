import { setSystemTime } from 'bun:test'
import * as v from 'valibot'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { type DryRunResult, dryRun, emptyTeam } from '../../integrations/kit/dry-run.ts'
import { fixturesWrittenAt } from '../../integrations/kit/fixtures/dates.ts'
import type { ProviderApi } from '../../integrations/kit/requests/provider-request.ts'
import { createPublishedKeys } from '../../integrations/kit/requests/published-keys.ts'
import type { Json, RawRequest, Received } from '../../integrations/kit/requests/received.ts'
import type { Language } from '../../src/contract/vocabulary.ts'

/** The moment at which requests are sent. */
export const fixtureTime = fixturesWrittenAt

/** A provider that no request may reach. */
export const noProvider: ProviderApi = {
  fetch: (url) => Promise.reject(new Error(`no call expected, got ${url}`)),
}

/** Published keys, for adapters that need none. */
export const noKeys = createPublishedKeys(noProvider)

/** What an adapter finds around it. */
interface World {
  now?: Date
  provider?: ProviderApi
  events?: { slug: string; name: string }[]
  language?: Language
}

/** How many requests are in progress: the first that ends must not change the clock of the others. */
let running = 0

/**
 * Takes a request the way the host does: settings parsed, each event stored as JSON and read again
 * before it is composed. `stored` is a list when the request contained several events.
 */
export async function runAdapter(
  adapter: Adapter,
  request: RawRequest,
  rawSettings: unknown,
  world: World = {},
): Promise<{
  outcome: DryRunResult
  received: Received<unknown>
  stored?: Json
  deliveryId?: string
}> {
  const settings = v.parse(adapter.settings, rawSettings)
  const { now = fixtureTime, provider = noProvider, language = 'en' } = world
  const team = { ...emptyTeam, events: async () => world.events ?? [] }
  // The providers' own libraries read the system's clock.
  setSystemTime(now)
  running++
  const received = await adapter
    .receive(request, {
      settings,
      now,
      team,
      language,
      keys: createPublishedKeys(provider),
      provider,
    })
    .finally(() => {
      running--
      if (running === 0) setSystemTime()
    })
  const stored: Json[] = []
  const outcome = await dryRun(received, ({ event, ephemeralContext }) => {
    stored.push(event)
    return adapter.compose({ event, ephemeralContext, settings, provider, now, language })
  })
  return {
    outcome,
    received,
    ...(received.kind === 'event' && { stored: stored[0] ?? null }),
    ...(received.kind === 'events' && { stored }),
    ...('deliveryId' in received && { deliveryId: received.deliveryId }),
  }
}

/** Every item of an outcome, new or updated. */
export function itemsOf(outcome: DryRunResult): unknown[] {
  if ('each' in outcome) return outcome.each.flatMap(itemsOf)
  if ('update' in outcome) return outcome.update
  return 'items' in outcome ? outcome.items : []
}

/** A POST with these headers and this body. */
export function post(headers: Record<string, string>, body: string | Uint8Array): RawRequest {
  return {
    method: 'POST',
    url: new URL('https://tidings.test/hooks/adapter/token'),
    headers: new Headers(headers),
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
  }
}
