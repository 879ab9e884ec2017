import { join } from 'node:path'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import type { DryRunResult } from '../../integrations/kit/dry-run.ts'
import { bodyIn, encode, listSamples } from '../../integrations/kit/fixtures/fixtures.ts'
import { ProviderError } from '../../integrations/kit/provider-error.ts'
import type {
  DryRunItem,
  Integration,
  IntegrationPage,
  SampleRequest,
} from '../features/connections/index.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import { AppError } from '../lib/errors.ts'
import type { WebhookDeps } from './dispatch.ts'
import { dryRunSample } from './dry-run-sample.ts'
import { readGuide } from './guide.ts'

const folder = join(import.meta.dir, '../../integrations')

type CatalogDeps = Pick<WebhookDeps, 'adapters' | 'apps' | 'outbound' | 'now'>

/** The adapters of an installation for people, sorted by name. */
export function loadIntegrationCatalog(deps: CatalogDeps): readonly Integration[] {
  return [...deps.adapters.values()]
    .map((adapter) => asIntegration(deps, adapter))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function asIntegration(deps: CatalogDeps, adapter: Adapter): Integration {
  const pages = new Map<string, Promise<IntegrationPage>>()
  return {
    ...adapter,
    postingSettings: adapter.posting?.settings ?? [],
    postingChannels: (settings) => adapter.posting?.channels?.(settings) ?? [''],
    hasSources: adapter.sourceOf !== undefined,
    sendsMessages: adapter.messaging !== undefined,
    isChannel: (text) => adapter.messaging?.isChannel(text) ?? false,
    installer: installerOf(deps, adapter),
    // A guide is read once, because it does not change while the service runs.
    page(language) {
      const page =
        pages.get(language) ??
        guideIn(adapter, language).then((markdown) => readGuide(markdown, adapter.settings))
      pages.set(language, page)
      return page
    },
    examples: async () =>
      new Map(
        [...(await listSamples(adapter.slug, deps.now()))].map(([name, { headers, body }]) => [
          name,
          {
            headers,
            body: typeof body === 'string' ? body : formatSample(body, headers['content-type']),
          },
        ]),
      ),
    dryRun: async ({ headers, body }: SampleRequest, given) =>
      dryRunResults(await dryRunSample(adapter, { headers, body: bodyIn(body) }, given, deps.now)),
  }
}

const installTimeoutMs = 15_000

function installerOf({ apps, outbound, now }: CatalogDeps, adapter: Adapter) {
  const app = apps.get(adapter.slug)
  const { installer } = adapter
  if (!app || !installer) return null
  return {
    authorizeUrl: (given: { state: string; redirectUrl: string }) =>
      installer.authorizeUrl(app, given),
    async install(given: { query: URLSearchParams; redirectUrl: string }) {
      try {
        return await withTimeLimit(outbound, installTimeoutMs, (provider) =>
          installer.install({ ...given, app, provider, now: now() }),
        )
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        throw new AppError('invalid_transition', error.message, { cause: error })
      }
    },
  }
}

/**
 * The guide of an adapter in a language (`guide.de.md`); its README, which is in English, when there is
 * none, and empty without a README.
 */
async function guideIn({ slug }: Adapter, language: string): Promise<string> {
  const translated = Bun.file(join(folder, slug, `guide.${language}.md`))
  if (await translated.exists()) return await translated.text()
  return await Bun.file(join(folder, slug, 'README.md'))
    .text()
    .catch(() => '')
}

/** A sample that people can read and edit. */
const formatSample = (body: object, contentType: string | undefined) =>
  contentType?.includes('json') ? JSON.stringify(body, null, 2) : encode({ ...body }, contentType)

function dryRunResults(outcome: DryRunResult): DryRunItem[] {
  if ('each' in outcome) return outcome.each.flatMap(dryRunResults)
  if ('items' in outcome) return [{ kind: 'items', items: outcome.items }]
  if ('update' in outcome) return [{ kind: 'update', items: outcome.update }]
  if ('withdraw' in outcome) return [{ kind: 'withdraw', externalIds: outcome.withdraw }]
  return [{ kind: 'none', reason: reasonOf(outcome) }]
}

function reasonOf(outcome: DryRunResult): string {
  if ('ignored' in outcome) return outcome.ignored
  if ('action' in outcome) return 'A person used a button, which creates no block'
  if ('disconnected' in outcome)
    return 'The app was removed at the provider, which creates no block'
  if ('unknown' in outcome)
    return `${outcome.unknown} is an event that this integration does not know`
  if ('rejected' in outcome) return outcome.reason
  return 'The provider gets an immediate reply, and no block is created'
}
