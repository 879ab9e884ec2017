import { join } from 'node:path'
import * as v from 'valibot'
import type { ProviderApi } from './adapter.ts'

// Every integrations/<slug>/fixtures/ holds <case>.json with the request, <case>.expected.json with
// what must come of it, settings.json, and sign.ts: `sign` gives the headers of the provider's
// signature, `fetch` answers read-back calls in the provider's place, `events` are the team's, and
// `asSentAt` puts the time into a body that holds it.

const Body = v.union([v.string(), v.record(v.string(), v.unknown())])
export type Body = v.InferOutput<typeof Body>
const Settings = v.record(v.string(), v.unknown())
const Headers = v.record(v.string(), v.string())
const Signer = v.object({
  sign: v.function(),
  fetch: v.optional(v.custom<ProviderApi['fetch']>((value) => typeof value === 'function')),
  events: v.optional(v.array(v.object({ slug: v.string(), name: v.string() }))),
  asSentAt: v.optional(v.custom<Fixtures['asSentAt']>((value) => typeof value === 'function')),
})

/** A request of a provider without its signature, and what its connection sets. */
export const Sample = v.object({
  headers: Headers,
  /** What differs from settings.json. */
  settings: v.optional(Settings, {}),
  body: Body,
})

export type Sample = v.InferOutput<typeof Sample>

/** What an adapter's folder brings along for trying it: secrets to throw away, and a stand-in. */
export interface Fixtures {
  settings: Record<string, unknown>
  /** The headers that prove a body. */
  sign(body: string, settings: object, now: Date): Promise<Record<string, string>>
  /** Answers in the provider's place; missing where nothing is asked. */
  fetch: ProviderApi['fetch'] | undefined
  /** The team's events. */
  events: { slug: string; name: string }[]
  /** The body as it were if it was sent now. */
  asSentAt(body: Body, now: Date): Body
}

const integrationsFolder = join(import.meta.dir, '..')

/** The fixtures of an adapter, found by its slug. */
export async function loadFixtures(
  slug: string,
  directory = integrationsFolder,
): Promise<Fixtures> {
  const folder = join(directory, slug, 'fixtures')
  const signer = v.parse(Signer, await import(join(folder, 'sign.ts')))
  const { fetch, events = [], asSentAt = (body: Body) => body } = signer
  return {
    settings: v.parse(Settings, await Bun.file(join(folder, 'settings.json')).json()),
    sign: async (...given) => v.parse(Headers, await signer.sign(...given)),
    fetch,
    events,
    asSentAt: (body, now) => v.parse(Body, asSentAt(body, now)),
  }
}

/** Requests of an adapter's fixtures that make news under its fixtures' own settings, by their names. */
export async function listSamples(
  slug: string,
  directory = integrationsFolder,
): Promise<ReadonlyMap<string, Sample>> {
  const folder = join(directory, slug, 'fixtures')
  const samples = new Map<string, Sample>()
  for (const file of [...new Bun.Glob('*.expected.json').scanSync(folder)].toSorted()) {
    const name = file.replace('.expected.json', '')
    const sample = v.parse(Sample, await Bun.file(join(folder, `${name}.json`)).json())
    const makesNews = 'items' in (await Bun.file(join(folder, file)).json())
    if (makesNews && Object.keys(sample.settings).length === 0) samples.set(name, sample)
  }
  return samples
}

const JsonObject = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

/** A body as fixtures write it: an object where the text is JSON of one, else the text. */
export function bodyIn(text: string): Body {
  const { success, output } = v.safeParse(JsonObject, text)
  return success ? output : text
}

/** A body as its content type wants it: in a form, strings stay as they are and all else is JSON. */
export function encode(body: Body, contentType = ''): string {
  if (typeof body === 'string') return body
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return JSON.stringify(body)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return form.toString()
}
