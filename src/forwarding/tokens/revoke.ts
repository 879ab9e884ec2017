import * as v from 'valibot'
import { ProviderError } from '../../../integrations/kit/provider-error.ts'
import type { ProviderApi } from '../../../integrations/kit/requests/provider-request.ts'
import {
  deleteRemovedSecrets,
  listTokensToRevoke,
  type TokenToRevoke,
} from '../../features/app-installations/index.ts'
import { webhookUrl } from '../../features/connections/index.ts'
import { dayMs } from '../../lib/clock.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import type { RefreshDeps } from './refresh.ts'

type RevocationDeps = RefreshDeps & { baseUrl: string }

const timeoutMs = 15_000
/** The time after which the secrets are deleted although the provider has not confirmed the revocation. */
const givenUpMs = 7 * dayMs

/**
 * Revokes the tokens of connections that were removed, or removes what they have registered, at their providers, and
 * deletes their secrets. It can run at
 * any time and in several processes: a token that is revoked already is refused, which counts as success.
 */
export async function revokeTokens(deps: RevocationDeps): Promise<void> {
  for (const token of await listTokensToRevoke(deps)) {
    const { connectionId: connection, removedAt } = token
    try {
      await revoke(deps, token)
      await deleteRemovedSecrets(deps, token)
      deps.log.info({ connection }, 'the token of a removed connection is deleted')
    } catch (error) {
      deps.log.error(
        { connection, err: error },
        'the token of a removed connection was not revoked',
      )
      if (deps.now().getTime() - removedAt.getTime() > givenUpMs)
        await deleteRemovedSecrets(deps, token)
    }
  }
}

/** Revokes tokens every minute, in one of all processes. */
export async function scheduleRevocations(
  deps: RevocationDeps & { queue: JobQueue },
): Promise<void> {
  const revoke = () => revokeTokens(deps)
  await deps.queue.schedule('revoke-app-tokens', '* * * * *', revoke, {
    deleteAfterSeconds: 3_600,
  })
}

/** Throws when a later attempt can succeed. */
async function revoke(deps: RevocationDeps, token: TokenToRevoke): Promise<void> {
  const work = workOf(deps, token)
  if (!work) return
  try {
    await withTimeLimit(deps.outbound, timeoutMs, work)
  } catch (error) {
    // The provider does not accept the token any more.
    if (!(error instanceof ProviderError && error.problem === 'refused')) throw error
  }
}

/** What is to be done at the provider of a removed connection; undefined when that is nothing. */
function workOf(
  { adapters, apps, now, baseUrl }: RevocationDeps,
  { adapter: slug, secrets, isInUse }: TokenToRevoke,
): ((provider: ProviderApi) => Promise<void>) | undefined {
  const adapter = adapters.get(slug)
  const app = apps.get(slug)
  if (!adapter || secrets === null) return undefined
  const { installer, registration, settings: schema } = adapter
  const { settings, webhookToken } = secrets
  if (registration?.unregister) {
    const parsed = v.safeParse(schema, settings)
    const url = webhookUrl(baseUrl, slug, webhookToken)
    return async (provider) => {
      if (parsed.success)
        await registration.unregister?.({ settings: parsed.output, provider, webhookUrl: url })
    }
  }
  if (!installer || !app || isInUse) return undefined
  return (provider) => installer.revoke({ app, provider, now: now(), settings })
}
