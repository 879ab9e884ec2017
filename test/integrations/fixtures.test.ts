import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as v from 'valibot'
import { encode, loadFixtures, Sample } from '../../integrations/fixtures.ts'
import { loadAdapters } from '../../integrations/index.ts'
import { IngestPayload } from '../../src/contract/ingest.ts'
import { itemsOf, play, playedAt, post } from '../support/adapters.ts'

for (const [slug, adapter] of await loadAdapters()) {
  const folder = join(import.meta.dir, '../../integrations', slug, 'fixtures')
  const read = (file: string): Promise<unknown> => Bun.file(join(folder, file)).json()
  const cases = [...new Bun.Glob('*.expected.json').scanSync(folder)]
    .map((file) => file.replace('.expected.json', ''))
    .toSorted()

  describe(slug, () => {
    test('every request has its expected outcome', () => {
      const files = [...new Bun.Glob('*.json').scanSync(folder)]
      const known = cases.flatMap((name) => [`${name}.json`, `${name}.expected.json`])
      expect(new Set(files)).toEqual(new Set([...known, 'settings.json']))
      expect(cases).not.toBeEmpty()
    })

    test.each(cases)('%s', async (name) => {
      const sample = v.parse(Sample, await read(`${name}.json`))
      const { sign, fetch, events, settings: common } = await loadFixtures(slug)
      const settings = { ...common, ...sample.settings }
      const body = encode(sample.body, sample.headers['content-type'])
      const signature = await sign(body, settings, playedAt)

      const request = post({ ...sample.headers, ...signature }, body)
      const { outcome } = await play(adapter, request, settings, {
        ...(fetch && { provider: { fetch } }),
        events,
      })

      expect(JSON.parse(JSON.stringify(outcome))).toEqual(await read(`${name}.expected.json`))
      for (const item of itemsOf(outcome))
        expect(v.safeParse(IngestPayload, item).issues).toBeUndefined()
    })
  })
}
