import * as v from 'valibot'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { type DryRunResult, dryRun, emptyTeam } from '../../integrations/kit/dry-run.ts'
import {
  encode,
  type Fixtures,
  loadFixtures,
  type Sample,
} from '../../integrations/kit/fixtures/fixtures.ts'
import type { ProviderApi } from '../../integrations/kit/requests/provider-request.ts'
import { createPublishedKeys } from '../../integrations/kit/requests/published-keys.ts'
import { parseSettings } from '../features/connections/index.ts'
import { type Now, systemClock } from '../lib/clock.ts'
import { dryRunEvent } from './dry-run.ts'

/**
 * The result that a sample request would have: signed with the secrets of the fixtures, with the
 * adapter's stand-in for the provider. Stores nothing and calls no provider. Throws
 * `validation_failed` for invalid settings, and an error with a sentence when the adapter has no
 * fixtures or no stand-in.
 */
export async function dryRunSample(
  adapter: Adapter,
  sample: Pick<Sample, 'headers' | 'body'>,
  given: Record<string, unknown>,
  clock: Now = systemClock,
): Promise<DryRunResult> {
  const fixtures = await fixturesOf(adapter)
  // Providers send whole seconds.
  const now = new Date(Math.floor(clock().getTime() / 1000) * 1000)
  const all = { ...fixtures.settings, ...given }
  const { common } = parseSettings(adapter, all, given)
  const settings = v.parse(adapter.settings, all)
  const text = encode(fixtures.asSentAt(sample.body, now), sample.headers['content-type'])
  const headers = new Headers({ ...sample.headers, ...(await fixtures.sign(text, all, now)) })
  const url = new URL(`https://tidings.example/hooks/${adapter.slug}/sample`)
  const request = { method: 'POST', url, headers, body: new TextEncoder().encode(text) }
  const team = { ...emptyTeam, events: async () => fixtures.events }
  const language = 'en' as const
  const provider = fakeProvider(adapter, fixtures, now)
  const keys = createPublishedKeys(provider)
  const context = { settings, now, team, language, keys, provider }
  const received = await adapter.receive(request, context)
  return await dryRun(received, (stored) =>
    dryRunEvent(common, stored, (event) =>
      adapter.compose({ ...event, settings, provider, now, language }),
    ),
  )
}

async function fixturesOf({ slug, name }: Adapter): Promise<Fixtures> {
  try {
    return await loadFixtures(slug)
  } catch (error) {
    throw new Error(
      `${name} cannot be tried: integrations/${slug}/fixtures needs a sign.ts and a settings.json.`,
      { cause: error },
    )
  }
}

/** The adapter's stand-in for the provider's API. */
const fakeProvider = ({ name, slug }: Adapter, { fetch }: Fixtures, now: Date): ProviderApi => ({
  fetch(url, init) {
    if (fetch) return fetch(url, init, now)
    throw new Error(
      `${name} would be called now. A dry run calls no provider, and integrations/${slug}/fixtures/sign.ts exports no fetch that responds in its place.`,
    )
  },
})
