import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Adapter, ProviderApi } from '../../integrations/adapter.ts'
import { IngestPayload } from '../../src/contract/ingest.ts'
import { itemsOf, play, playedAt, post } from './adapters.ts'

// An adapter's fixtures/ hold <case>.json with the request, <case>.expected.json with what must come
// of it, settings.json, and sign.ts: `sign` gives the headers of the provider's signature, `fetch`
// answers read-back calls in the provider's place, `events` are the team's.

const Settings = v.record(v.string(), v.unknown())
const Fixture = v.object({
  headers: v.record(v.string(), v.string()),
  /** What differs from settings.json. */
  settings: v.optional(Settings, {}),
  body: v.union([v.string(), v.record(v.string(), v.unknown())]),
})
const Signer = v.object({
  sign: v.function(),
  fetch: v.optional(v.custom<ProviderApi['fetch']>((value) => typeof value === 'function')),
  events: v.optional(v.array(v.object({ slug: v.string(), name: v.string() }))),
})
const Signature = v.record(v.string(), v.string())

/** The promise that each request in an adapter's folder has its expected outcome. */
export function testFixtures(adapter: Adapter, folder: string): void {
  const cases = casesIn(folder)

  describe(adapter.slug, () => {
    test('every request has its expected outcome', () => {
      const files = [...new Bun.Glob('*.json').scanSync(folder)]
      const known = cases.flatMap((name) => [`${name}.json`, `${name}.expected.json`])
      expect(new Set(files)).toEqual(new Set([...known, 'settings.json']))
      expect(cases).not.toBeEmpty()
    })

    test.each(cases)('%s', (name) => checkFixture(adapter, folder, name))
  })
}

/** The names of the cases that have an expected outcome. */
export const casesIn = (folder: string): string[] =>
  [...new Bun.Glob('*.expected.json').scanSync(folder)]
    .map((file) => file.replace('.expected.json', ''))
    .toSorted()

/** Plays one request and expects its outcome. */
export async function checkFixture(adapter: Adapter, folder: string, name: string): Promise<void> {
  const read = (file: string): Promise<unknown> => Bun.file(join(folder, file)).json()
  const fixture = v.parse(Fixture, await read(`${name}.json`))
  const common = v.parse(Settings, await read('settings.json'))
  const settings = { ...common, ...fixture.settings }
  const { sign, fetch, events } = v.parse(Signer, await import(join(folder, 'sign.ts')))
  const body = encode(fixture.body, fixture.headers['content-type'])
  const signature = v.parse(Signature, await sign(body, settings, playedAt))

  const request = post({ ...fixture.headers, ...signature }, body)
  const { outcome } = await play(adapter, request, settings, {
    ...(fetch && { provider: { fetch } }),
    ...(events && { events }),
  })

  expect(JSON.parse(JSON.stringify(outcome))).toEqual(await read(`${name}.expected.json`))
  for (const item of itemsOf(outcome))
    expect(v.safeParse(IngestPayload, item).issues).toBeUndefined()
}

/** In a form, strings stay as they are and everything else is JSON. */
function encode(body: string | Record<string, unknown>, contentType = ''): string {
  if (typeof body === 'string') return body
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return JSON.stringify(body)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return form.toString()
}
