import * as v from 'valibot'
import type { TeamApi } from '../../../integrations/kit/team-api.ts'
import { HomeJobData, listHomes, refreshHome } from '../../features/chat-homes/index.ts'
import type { DecryptedConnection } from '../../features/connections/index.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { systemContext } from '../../lib/context.ts'
import { FinalError, type Job } from '../../lib/queue/index.ts'
import { retryError } from '../deliveries/retry-error.ts'
import { loadConnection } from '../load-connection.ts'
import type { LimiterOf, MessagingDeps } from './message-context.ts'

const timeoutMs = 20_000

/** Publishes again the homes whose content has changed, of people who have opened them. The others cost nothing. */
export async function refreshHomes(
  deps: MessagingDeps,
  connection: DecryptedConnection,
): Promise<void> {
  if (!deps.adapters.get(connection.adapter)?.publishHome) return
  const { sql, now, queue } = deps
  const ctx = { ...systemContext({ sql, now }, connection.teamId), queue }
  const team: TeamApi = deps.teamOf(connection)
  const connectionId = connection.id
  for (const home of await listHomes(ctx, { connectionId })) {
    const { fingerprint: next } = await team.home(home)
    if (next !== home.fingerprint) await refreshHome(ctx, { connectionId, ...home, next })
  }
}

/** Publishes the home of one person. Throws when a later attempt can succeed. */
export async function publishChatHome(
  deps: MessagingDeps,
  limiterOf: LimiterOf,
  job: Job,
): Promise<void> {
  const { userId: user, ...ref } = v.parse(HomeJobData, job.data)
  const loaded = await loadConnection(deps, ref)
  if (typeof loaded === 'string' || loaded.connection.isDisconnected) return
  const { connection, adapter, settings } = loaded
  const { publishHome, messaging } = adapter
  if (!publishHome || !messaging) return
  const team = deps.teamOf(connection)
  const { language } = connection
  const publish = () =>
    withTimeLimit(deps.outbound, timeoutMs, (provider) =>
      publishHome({ settings, provider, team, language, user }),
    )
  try {
    await limiterOf(connection.id, messaging.intervalMs).schedule(publish)
  } catch (error) {
    throw job.isLastAttempt ? new FinalError('The home was not published.') : retryError(error, 30)
  }
}
