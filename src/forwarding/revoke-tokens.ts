import { ProviderError } from '../../integrations/kit/provider-error.ts'
import {
  deleteToken,
  listTokensToRevoke,
  type TokenToRevoke,
} from '../features/app-installations/index.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import type { JobQueue } from '../lib/queue/index.ts'
import type { RefreshDeps } from './refresh-tokens.ts'

const timeoutMs = 15_000
/** After so long the secrets are deleted although the provider has not confirmed the revocation. */
const givenUpMs = 7 * 24 * 3_600_000

/**
 * Revokes the tokens of connections that were removed, at their providers, and deletes their secrets. It can run at
 * any time and in several processes: a token that is revoked already is refused, which counts as success.
 */
export async function revokeTokens(deps: RefreshDeps): Promise<void> {
  for (const token of await listTokensToRevoke(deps)) {
    const { connectionId: connection, removedAt } = token
    try {
      await revoke(deps, token)
      await deleteToken(deps, token)
      deps.log.info({ connection }, 'the token of a removed connection is deleted')
    } catch (error) {
      deps.log.error(
        { connection, err: error },
        'the token of a removed connection was not revoked',
      )
      if (deps.now().getTime() - removedAt.getTime() > givenUpMs) await deleteToken(deps, token)
    }
  }
}

/** Revokes tokens every minute, in one of all processes. */
export async function scheduleRevocations(deps: RefreshDeps & { queue: JobQueue }): Promise<void> {
  const revoke = () => revokeTokens(deps)
  await deps.queue.schedule('revoke-app-tokens', '* * * * *', revoke, {
    deleteAfterSeconds: 3_600,
  })
}

/** Throws when a later attempt can succeed. */
async function revoke(
  { adapters, apps, outbound, now }: RefreshDeps,
  { adapter, settings, isInUse }: TokenToRevoke,
): Promise<void> {
  const { installer } = adapters.get(adapter) ?? {}
  const app = apps.get(adapter)
  if (!installer || !app || settings === null || isInUse) return
  try {
    await withTimeLimit(outbound, timeoutMs, (provider) =>
      installer.revoke({ app, provider, now: now(), settings }),
    )
  } catch (error) {
    // The provider does not accept the token any more.
    if (!(error instanceof ProviderError && error.problem === 'refused')) throw error
  }
}
