import type { Logger } from 'pino'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import { ProviderError } from '../../../integrations/kit/provider-error.ts'
import type { AppCredentials } from '../../contract/app-credentials.ts'
import {
  completeTokenRefresh,
  disconnectExpired,
  type ExpiringToken,
  saveRefreshProblem,
  startTokenRefresh,
} from '../../features/app-installations/index.ts'
import { type ConnectionDeps, findDecryptedConnection } from '../../features/connections/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { databaseTime } from '../../lib/database/database-time.ts'
import type { SsrfFetch } from '../../lib/outbound/ssrf-fetch.ts'
import type { JobQueue } from '../../lib/queue/index.ts'

const timeoutMs = 15_000
/** A run ends before the next ones have started, also while the provider does not respond. */
const maxPerRun = 50

export interface RefreshDeps extends ConnectionDeps {
  adapters: ReadonlyMap<string, Adapter>
  apps: ReadonlyMap<string, AppCredentials>
  outbound: SsrfFetch
  log: Logger
}

/** Refreshes up to 50 tokens that expire soon. It can run at any time and in several processes. */
export async function refreshTokens(deps: RefreshDeps): Promise<void> {
  const run = { adapters: [...deps.apps.keys()], startedAt: await databaseTime(deps.sql) }
  for (let count = 0; count < maxPerRun; count += 1) {
    const token = await startTokenRefresh(deps, run)
    if (!token) return
    try {
      await refreshToken(deps, token)
      deps.log.info({ connection: token.connectionId }, 'the token of a connection was refreshed')
    } catch (error) {
      await handleFailure(deps, token, error)
    }
  }
}

/** Refreshes tokens every ten minutes, in one of all processes. */
export async function scheduleTokenRefreshes(
  deps: RefreshDeps & { queue: JobQueue },
): Promise<void> {
  const refresh = () => refreshTokens(deps)
  await deps.queue.schedule('refresh-app-tokens', '*/10 * * * *', refresh, {
    deleteAfterSeconds: 3_600,
  })
}

async function refreshToken(deps: RefreshDeps, expiring: ExpiringToken): Promise<void> {
  const { teamId, connectionId, adapter: slug } = expiring
  const adapter = deps.adapters.get(slug)
  const app = deps.apps.get(slug)
  const connection = await findDecryptedConnection(deps, teamId, connectionId)
  const { installer } = adapter ?? {}
  if (!adapter || !installer || !app || !connection || connection.refreshToken === null) {
    throw new Error('The app is not set up in this installation any more.')
  }
  const { refreshToken: token } = connection
  const given = { app, refreshToken: token, now: deps.now() }
  const tokens = await withTimeLimit(deps.outbound, timeoutMs, (provider) =>
    installer.refresh({ ...given, provider }),
  )
  await completeTokenRefresh(deps, expiring, { adapter, ...tokens })
}

const untilThen =
  'Until its present token expires, within two hours, the connection works as before.'

/** Disconnects a connection whose refresh token the provider refuses, once its token has expired; until then, its page says so. After other failures, the next run tries again. */
async function handleFailure(
  deps: RefreshDeps,
  token: ExpiringToken,
  error: unknown,
): Promise<void> {
  const { now, log } = deps
  log.error(
    { connection: token.connectionId, err: error },
    'the token of a connection was not refreshed',
  )
  const isRefused = error instanceof ProviderError && error.problem === 'refused'
  if (!isRefused) return
  // The present token is valid until then, and the operator may correct the credentials of the app.
  if (token.expiresAt <= now()) await disconnectExpired(deps, token)
  else await saveRefreshProblem(deps, token, `${error.message} ${untilThen}`)
}
