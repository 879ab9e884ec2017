import type { Connection } from '../../features/connections/index.ts'
import type { ConsoleDeps } from '../http/context.ts'

/** The name of a provider, such as `GitHub`; its slug when this installation does not have the integration. */
export const providerName = ({ integrations }: ConsoleDeps, slug: string): string =>
  integrations.catalog.find((integration) => integration.slug === slug)?.name ?? slug

/**
 * The name of the integration (its slug when this installation does not have it any more) and the label
 * of the connection.
 */
export function connectionName(
  { deps }: { deps: ConsoleDeps },
  { adapter, label }: Connection,
): string {
  const name = providerName(deps, adapter)
  return label === null ? name : `${name}: ${label}`
}

/** The subject of an audit log entry for people: provider names instead of slugs and ids of connections. */
export const withProviderNames = (deps: ConsoleDeps, subject: string): string =>
  subject.replace(/^([\w-]+)(?: cn_[0-9a-f]{32}$|(?=, received \d{4}-))/, (_, slug: string) =>
    providerName(deps, slug),
  )
