import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import { encode, loadFixtures, Sample } from '../../integrations/kit/fixtures/fixtures.ts'
import { IngestPayload } from '../../src/contract/blocks/ingest.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { fixtureTime, itemsOf, post, runAdapter } from './adapters.ts'

const adapters = await loadAdapters()
const integrations = fileURLToPath(new URL('../../integrations', import.meta.url))

/** A copy of `body` with the value at a path such as `release.name`. */
function withValue(body: unknown, [key = '', ...rest]: string[], value: unknown): unknown {
  if (Array.isArray(body))
    return body.map((one, at) => (String(at) === key ? withValue(one, rest, value) : one))
  const object: Record<string, unknown> = { ...v.parse(v.record(v.string(), v.unknown()), body) }
  object[key] = rest.length === 0 ? value : withValue(object[key] ?? {}, rest, value)
  return object
}

type Changes = Record<string, unknown>

/** The item of a fixture of an adapter with changed values, as ingest accepts it. */
export async function itemOf([slug, fixture, changes]: Case, language: Language = 'en') {
  const adapter = adapters.get(slug)
  if (!adapter) throw new Error(`there is no adapter ${slug}`)
  const file = Bun.file(`${integrations}/${slug}/fixtures/${fixture}.json`)
  const sample = v.parse(Sample, await file.json())
  const { sign, fetch, events, settings: common } = await loadFixtures(slug, integrations)
  const settings = { ...common, ...sample.settings }
  let changed: unknown = sample.body
  for (const [path, value] of Object.entries(changes))
    changed = withValue(changed, path.split('.'), value)
  const body = encode(v.parse(Sample.entries.body, changed), sample.headers['content-type'])
  const headers = { ...sample.headers, ...(await sign(body, settings, fixtureTime)) }
  const options = { ...(fetch && { provider: { fetch } }), events, language }
  const { outcome } = await runAdapter(adapter, post(headers, body), settings, options)
  const [item] = itemsOf(outcome)
  return v.parse(IngestPayload, item)
}

/** The title of an item and its body without line breaks, as an editor reads them. */
export async function textOf(event: Case, language?: Language) {
  const { title, body } = await itemOf(event, language)
  return { title, body: body.replaceAll('\n', '') }
}

/** A case of a table: what it is about, what an editor reads, and the event that it comes from. */
export type Row = [about: string, title: string, body: string, event: Case, language?: Language]

/** The rows as objects, because `test.each` passes a callback instead of a missing last value. */
export const casesOf = (rows: readonly Row[]) =>
  rows.map(([about, title, body, event, language = 'en']) => ({
    about,
    title,
    body,
    event,
    language,
  }))

export const github = (name: string | null, tag_name: string, body: string): Case => [
  'github',
  'release.published',
  { 'release.name': name, 'release.tag_name': tag_name, 'release.body': body },
]
export const slack = (text: string, command = '/win'): Case => [
  'slack',
  'command',
  { text, command },
]
export const mattermost = (text: string): Case => ['mattermost', 'command', { text }]
export const discord = (value: string, name = 'win'): Case => [
  'discord',
  'win',
  { 'data.options': [{ name: 'text', type: 3, value }], 'data.name': name },
]
export const teams = (text: string): Case => ['teams', 'win', { text: `<at>Tidings</at> ${text}` }]

/** A fixture of an adapter, and the values that differ from it. */
export type Case = [slug: string, fixture: string, changes: Changes]
