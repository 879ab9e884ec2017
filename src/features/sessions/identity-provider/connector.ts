import type { ServiceContext } from '../../../lib/context.ts'
import { createDiscovery, type ProviderMetadata } from './discovery.ts'
import { IdentityProviderError } from './fetch-json.ts'
import type { IdentityProvider } from './provider.ts'

/** A configured provider, with what it says about itself. */
export interface Connector {
  provider: IdentityProvider
  /** Reads the metadata of the provider unless they are known. Throws `IdentityProviderError`. */
  discover(): Promise<ProviderMetadata>
  /** The metadata that were read last. */
  metadata(): ProviderMetadata
}

/** Creates a connector; sends no request. */
export function createConnector(provider: IdentityProvider, { now }: ServiceContext): Connector {
  const discovery = createDiscovery(provider, now)
  let last: ProviderMetadata | undefined
  return {
    provider,
    async discover() {
      last = await discovery()
      return last
    },
    metadata() {
      if (!last) throw new IdentityProviderError('it has not been asked yet')
      return last
    },
  }
}
