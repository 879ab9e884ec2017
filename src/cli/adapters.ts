import { Command } from '@commander-js/extra-typings'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { bodyIn, Sample } from '../../integrations/kit/fixtures/fixtures.ts'
import { isSecret } from '../contract/settings.ts'
import { invalidField } from '../lib/errors.ts'
import { dryRunSample } from '../webhooks/index.ts'
import {
  type CliRuntime,
  collect,
  formatTable,
  headersFrom,
  newCommand,
  type Output,
  printOutput,
  settingsFrom,
} from './command.ts'

/** `tidings adapter …` These commands need neither settings nor a database. */
export const adapterCommand = (runtime: CliRuntime) =>
  new Command('adapter')
    .description('List the integrations, and try one with a sample')
    .addCommand(list(runtime))
    .addCommand(tryAdapter(runtime))

const list = (runtime: CliRuntime) =>
  newCommand('list')
    .description('List the integrations with their settings')
    .action(async (options) => printOutput(runtime, options, await listAdapters()))

async function listAdapters(): Promise<Output> {
  const adapters = [...(await loadAdapters()).values()].map((adapter) => ({
    slug: adapter.slug,
    name: adapter.name,
    category: adapter.category,
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
    '* is stored encrypted and not shown again; [ ] is optional.',
    'Every adapter also has the settings auto_ready, block_type and event_slug. Adapters with events have',
    'the setting events, adapters with releases the setting group. See the README of each in integrations/.',
  ]
  return {
    text: `${formatTable(['SLUG', 'NAME', 'CATEGORY', 'SETTINGS'], rows)}\n\n${legend.join('\n')}`,
    json: adapters,
  }
}

const settingShown = ({
  name,
  secret,
  required,
}: Record<'secret' | 'required', boolean> & { name: string }) => {
  const marked = secret ? `${name}*` : name
  return required ? marked : `[${marked}]`
}

const tryAdapter = (runtime: CliRuntime) =>
  newCommand('try')
    .description('Print what a sample request would become; nothing is stored or sent')
    .argument('<adapter>', 'slug of the integration')
    .argument('<file>', 'file with the body, or with headers and body as in the fixtures')
    .option('--set <name=value>', 'a setting; repeat for more', collect)
    .option('--header <name=value>', 'a header of the request; repeat for more', collect)
    .action(async (slug, file, options) => {
      const adapter = await requireAdapter(slug)
      const sample = await readSample(file)
      const headers = { ...sample.headers, ...headersFrom(options.header) }
      const settings = { ...sample.settings, ...settingsFrom(options.set) }
      const outcome = await dryRunSample(adapter, { headers, body: sample.body }, settings)
      const output = { text: JSON.stringify(outcome, null, 2), json: outcome }
      printOutput(runtime, options, output)
    })

/** A file with headers and body, in the format of the fixtures, or with the body only. */
async function readSample(path: string): Promise<Sample> {
  const text = await Bun.file(path)
    .text()
    .catch(() => {
      throw invalidField(
        '/file',
        `the file ${path} cannot be read: check its name and its permissions`,
      )
    })
  const content = bodyIn(text.trim())
  const whole = v.safeParse(Sample, content)
  if (whole.success) return whole.output
  const type =
    typeof content === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
  return { headers: { 'content-type': type }, settings: {}, body: content }
}

/** The adapter with this slug. Throws `validation_failed` with the slugs of all adapters. */
export async function requireAdapter(slug: string): Promise<Adapter> {
  const adapters = await loadAdapters()
  const adapter = adapters.get(slug)
  if (adapter) return adapter
  const known = [...adapters.keys()].join(', ')
  throw invalidField('/adapter', `there is no adapter "${slug}"; choose one of ${known}`)
}
