import { inTransaction, type ServiceContext, systemContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { toReason } from '../../lib/text/reason.ts'
import {
  type ConnectionAdapter,
  type ConnectionDeps,
  disconnectConnection,
  replaceTokens,
} from '../connections/index.ts'
import { isRefreshing, startRefreshRow, updateExpiry, updateRefreshProblem } from './sql.ts'

/** Slack's tokens live for twelve hours. Bolt refreshes them two hours before they expire. */
const beforeExpiryMs = 2 * 3_600_000
/** Longer than a request to the provider can take. */
const refreshMs = 60_000

/** A connection whose token is about to expire, while this process refreshes it. */
export interface ExpiringToken {
  teamId: string
  connectionId: string
  adapter: string
  expiresAt: Date
  /** Identifies the refresh: another process, an approval or an admin ends it. */
  refreshingUntil: Date
}

interface RefreshedTokens {
  adapter: ConnectionAdapter
  settings: Record<string, string>
  /** Null for a token that does not expire. */
  expiring: { refreshToken: string; expiresAt: Date } | null
}

/**
 * Chooses a connection of one of these adapters whose token expires within two hours, and which nobody has
 * tried to refresh since `startedAt` (by the clock of the database): first those that were never tried. No
 * other process gets it for a minute, because a refresh token works once. Null when there is none.
 */
export async function startTokenRefresh(
  { sql }: ServiceContext & { sql: Sql },
  { adapters, startedAt }: { adapters: readonly string[]; startedAt: Date },
): Promise<ExpiringToken | null> {
  const expiresBefore = new Date(startedAt.getTime() + beforeExpiryMs)
  const row = await withDeadline(
    startRefreshRow(sql, { adapters, startedAt, expiresBefore, refreshMs }),
  )
  return row
    ? {
        teamId: row.team_id,
        connectionId: row.connection_id,
        adapter: row.adapter,
        expiresAt: row.expires_at,
        refreshingUntil: row.refreshing_until,
      }
    : null
}

/** Stores the new tokens of a connection, unless something has ended the refresh. */
export async function completeTokenRefresh(
  deps: ConnectionDeps,
  token: ExpiringToken,
  { adapter, settings, expiring }: RefreshedTokens,
): Promise<void> {
  const { teamId, connectionId: id } = token
  await inTransaction(systemContext(deps, teamId), async (txCtx) => {
    const isCurrent = await updateExpiry(txCtx.sql, token, expiring?.expiresAt ?? null)
    const refreshToken = expiring?.refreshToken ?? null
    if (isCurrent) await replaceTokens(txCtx, { adapter, id, settings, refreshToken })
  })
}

/** Disconnects a connection whose token has expired, unless something has ended the refresh. */
export async function disconnectExpired(deps: ConnectionDeps, token: ExpiringToken): Promise<void> {
  const { teamId, connectionId: id } = token
  await inTransaction(systemContext(deps, teamId), async (txCtx) => {
    if (!(await isRefreshing(txCtx.sql, token))) return
    await disconnectConnection(txCtx, { id, reason: 'expired', at: txCtx.now() })
  })
}

/** Stores why the provider does not exchange a refresh token, for the page of the connection. */
export async function saveRefreshProblem(
  { sql }: { sql: Sql },
  token: ExpiringToken,
  problem: string,
): Promise<void> {
  await withDeadline(updateRefreshProblem(sql, token, toReason(problem)))
}
