import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { encode, loadFixtures, Sample } from '../../integrations/kit/fixtures/fixtures.ts'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import { fixtureTime, itemsOf, post, runAdapter } from './adapters.ts'

/** Tests that each request in the fixtures of an adapter below `directory` has its expected outcome. */
export function testFixtures(adapter: Adapter, directory: string): void {
  const folder = join(directory, adapter.slug, 'fixtures')
  const cases = casesIn(folder)

  describe(adapter.slug, () => {
    test(`every fixture of ${adapter.slug} has an expected outcome`, () => {
      const files = [...new Bun.Glob('*.json').scanSync(folder)]
      const known = cases.flatMap((name) => [`${name}.json`, `${name}.expected.json`])
      expect(new Set(files)).toEqual(new Set([...known, 'settings.json']))
      expect(cases).not.toBeEmpty()
    })

    test.each(cases)(`the ${adapter.slug} fixture %s has its expected outcome`, (name) =>
      checkFixture(adapter, directory, name),
    )
  })
}

/** The names of the cases that have an expected outcome. */
export const casesIn = (folder: string): string[] =>
  [...new Bun.Glob('*.expected.json').scanSync(folder)]
    .map((file) => file.replace('.expected.json', ''))
    .toSorted()

/** Plays one request of the adapter's folder below `directory` and expects its outcome. */
export async function checkFixture(
  adapter: Adapter,
  directory: string,
  name: string,
): Promise<void> {
  const read = (file: string): Promise<unknown> =>
    Bun.file(join(directory, adapter.slug, 'fixtures', file)).json()
  const sample = v.parse(Sample, await read(`${name}.json`))
  const { sign, fetch, events, settings: common } = await loadFixtures(adapter.slug, directory)
  const settings = { ...common, ...sample.settings }
  const body = encode(sample.body, sample.headers['content-type'])
  const signature = await sign(body, settings, fixtureTime)

  const request = post({ ...sample.headers, ...signature }, body)
  const { outcome } = await runAdapter(adapter, request, settings, {
    ...(fetch && { provider: { fetch } }),
    events,
  })

  expect(JSON.parse(JSON.stringify(outcome))).toEqual(await read(`${name}.expected.json`))
  for (const item of itemsOf(outcome))
    expect(v.safeParse(IngestPayload, item).issues).toBeUndefined()
}
