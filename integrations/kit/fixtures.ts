import { join } from 'node:path'
import * as v from 'valibot'
import type { ProviderApi } from './provider-request.ts'

// Each folder integrations/<slug>/fixtures contains <case>.json with a request,
// <case>.expected.json with its expected outcome, settings.json, and sign.ts. In sign.ts, `sign`
// returns the headers of the provider's signature, `fetch` responds to requests to the provider's API,
// `events` are the events of the team, `asSentAt` sets the time in a body that contains it, and `datedAt`
// moves the dates of a body that is only of interest before them.

const Body = v.union([v.string(), v.record(v.string(), v.unknown())])
export type Body = v.InferOutput<typeof Body>
const Settings = v.record(v.string(), v.unknown())
const Headers = v.record(v.string(), v.string())
const Signer = v.object({
  sign: v.function(),
  fetch: v.optional(
    v.custom<NonNullable<Fixtures['fetch']>>((value) => typeof value === 'function'),
  ),
  events: v.optional(v.array(v.object({ slug: v.string(), name: v.string() }))),
  asSentAt: v.optional(v.custom<Fixtures['asSentAt']>((value) => typeof value === 'function')),
  datedAt: v.optional(v.custom<Fixtures['datedAt']>((value) => typeof value === 'function')),
})

/** A request of a provider without its signature, and the settings of its connection. */
export const Sample = v.object({
  headers: Headers,
  /** Settings that differ from settings.json. */
  settings: v.optional(Settings, {}),
  body: Body,
})

export type Sample = v.InferOutput<typeof Sample>

/** The fixtures of an adapter: settings with secrets for tests, and a stand-in for the provider. */
export interface Fixtures {
  settings: Record<string, unknown>
  /** The headers that sign a body. */
  sign(body: string, settings: object, now: Date): Promise<Record<string, string>>
  /**
   * Responds to requests to the provider's API, with dates near `now` where it is given; undefined when the adapter
   * makes none.
   */
  fetch:
    | ((...request: [...Parameters<ProviderApi['fetch']>, now?: Date]) => Promise<Response>)
    | undefined
  /** The team's events. */
  events: { slug: string; name: string }[]
  /** The body with `now` as the time of sending. */
  asSentAt(body: Body, now: Date): Body
  /** The body with its dates as far ahead of `now` as they were when the fixtures were written. */
  datedAt(body: Body, now: Date): Body
}

const integrationsFolder = join(import.meta.dir, '..')

/** Loads the fixtures of the adapter with this slug. */
export async function loadFixtures(
  slug: string,
  directory = integrationsFolder,
): Promise<Fixtures> {
  const folder = join(directory, slug, 'fixtures')
  const signer = v.parse(Signer, await import(join(folder, 'sign.ts')))
  const same = (body: Body) => body
  const { fetch, events = [], asSentAt = same, datedAt = same } = signer
  return {
    settings: v.parse(Settings, await Bun.file(join(folder, 'settings.json')).json()),
    sign: async (...given) => v.parse(Headers, await signer.sign(...given)),
    fetch,
    events,
    asSentAt: (body, now) => v.parse(Body, asSentAt(body, now)),
    datedAt: (body, now) => v.parse(Body, datedAt(body, now)),
  }
}

/**
 * The requests in an adapter's fixtures that become items under the settings of the fixtures, by
 * name, with dates near `now`.
 */
export async function listSamples(
  slug: string,
  now: Date,
  directory = integrationsFolder,
): Promise<ReadonlyMap<string, Sample>> {
  const folder = join(directory, slug, 'fixtures')
  const samples = new Map<string, Sample>()
  // Without a sign.ts, samples are shown although they cannot be tried.
  const fixtures = await loadFixtures(slug, directory).catch(() => null)
  for (const file of [...new Bun.Glob('*.expected.json').scanSync(folder)].toSorted()) {
    const name = file.replace('.expected.json', '')
    const sample = v.parse(Sample, await Bun.file(join(folder, `${name}.json`)).json())
    const makesNews = 'items' in (await Bun.file(join(folder, file)).json())
    if (!makesNews || Object.keys(sample.settings).length > 0) continue
    samples.set(name, { ...sample, body: fixtures?.datedAt(sample.body, now) ?? sample.body })
  }
  return samples
}

const JsonObject = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()))

/** A body as in a fixture: an object if the text is a JSON object, and otherwise the text. */
export function bodyIn(text: string): Body {
  const { success, output } = v.safeParse(JsonObject, text)
  return success ? output : text
}

/**
 * A body encoded for its content type. In a form, strings stay as they are, and other values are
 * JSON.
 */
export function encode(body: Body, contentType = ''): string {
  if (typeof body === 'string') return body
  if (!contentType.startsWith('application/x-www-form-urlencoded')) return JSON.stringify(body)
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(body))
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return form.toString()
}
