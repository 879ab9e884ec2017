import type { ConsoleDeps } from '../http/context.ts'

/** The name of a provider, such as `GitHub`; its slug when this installation does not have the integration. */
export const providerName = ({ integrations }: ConsoleDeps, slug: string): string =>
  integrations.catalog.find((integration) => integration.slug === slug)?.name ?? slug
