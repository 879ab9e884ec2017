import * as v from 'valibot'
import type { Adapter } from '../../integrations/adapter.ts'
import { bodyIn, Sample } from '../../integrations/fixtures.ts'
import { loadAdapters } from '../../integrations/index.ts'
import { isSecret } from '../contract/settings.ts'
import { tryOut as whatBecomesOf } from '../hooks/index.ts'
import { invalidField } from '../lib/errors.ts'
import { headersFrom, type OfflineCommand, settingsFrom, table } from './command.ts'

const list: OfflineCommand = {
  noun: 'adapter',
  verb: 'list',
  summary: 'List the integrations with their settings',
  offline: true,
  options: {},
  async run() {
    const adapters = [...(await loadAdapters()).values()].map((adapter) => ({
      ...{ slug: adapter.slug, name: adapter.name, category: adapter.category },
      settings: Object.entries(adapter.settings.entries).map(([setting, schema]) => ({
        name: setting,
        secret: isSecret(schema),
        required: !v.is(schema, undefined),
      })),
      events: adapter.events ?? [],
      groups: adapter.groups ?? false,
    }))
    const rows = adapters.map(({ slug, name, category, settings }) => [
      ...[slug, name, category],
      settings.map(settingShown).join(' '),
    ])
    const legend = [
      '* is kept encrypted and not shown again; [ ] may be left out.',
      'Each also takes auto_ready, block_type and event_slug; those with events the filter events, those with',
      'releases the roll-up group. See the README of each in integrations/.',
    ]
    return {
      text: `${table(['SLUG', 'NAME', 'CATEGORY', 'SETTINGS'], rows)}\n\n${legend.join('\n')}`,
      json: adapters,
    }
  },
}

const settingShown = ({
  name,
  secret,
  required,
}: Record<'secret' | 'required', boolean> & { name: string }) => {
  const marked = secret ? `${name}*` : name
  return required ? marked : `[${marked}]`
}

const tryOut: OfflineCommand = {
  noun: 'adapter',
  verb: 'try',
  summary: 'Print what a sample of a provider’s request would become; nothing is stored or called',
  offline: true,
  positionals: ['adapter', 'file'],
  options: {
    set: { type: 'strings', describe: 'a setting as name=value; repeat for more' },
    header: { type: 'strings', describe: 'a header as name=value; repeat for more' },
  },
  async run(values) {
    const adapter = await adapterCalled(values.text('adapter'))
    const sample = await readSample(values.text('file'))
    const headers = { ...sample.headers, ...headersFrom(values.texts('header')) }
    const settings = { ...sample.settings, ...settingsFrom(values.texts('set')) }
    const outcome = await whatBecomesOf(adapter, { headers, body: sample.body }, settings)
    return { text: JSON.stringify(outcome, null, 2), json: outcome }
  },
}

/** A file with headers and body, as the fixtures have them, or with the body alone. */
async function readSample(path: string): Promise<Sample> {
  const text = await Bun.file(path)
    .text()
    .catch(() => {
      throw invalidField('/file', `the file ${path} cannot be read`)
    })
  const content = bodyIn(text.trim())
  const whole = v.safeParse(Sample, content)
  if (whole.success) return whole.output
  const type =
    typeof content === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { headers: { 'content-type': type }, settings: {}, body: content }
}

/** The adapter of a slug. Throws `validation_failed` with all slugs there are. */
export async function adapterCalled(slug: string): Promise<Adapter> {
  const adapters = await loadAdapters()
  const adapter = adapters.get(slug)
  if (adapter) return adapter
  const known = [...adapters.keys()].join(', ')
  throw invalidField('/adapter', `there is no adapter "${slug}"; there are ${known}`)
}

export const adapterCommands = [list, tryOut]
