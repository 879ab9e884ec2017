import { inTransaction, type ServiceContext, systemContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { type ConnectionDeps, type ConnectionKind, replaceTokens } from '../connections/index.ts'
import { startRefreshRows, updateExpiry } from './sql.ts'

/** Slack's tokens live for twelve hours. Bolt refreshes them two hours before they expire. */
const beforeExpiryMs = 2 * 3_600_000
/** Longer than a request to the provider can take. */
const leaseMs = 60_000

/** A connection whose token is about to expire. */
export interface ExpiringToken {
  teamId: string
  connectionId: string
  adapter: string
  installedAt: Date
  expiresAt: Date
}

interface RefreshedTokens {
  kind: ConnectionKind
  settings: Record<string, string>
  /** Null for a token that does not expire. */
  expiring: { refreshToken: string; expiresAt: Date } | null
}

/**
 * Chooses up to 50 connections whose token expires within two hours. No other process gets them for a minute,
 * because a refresh token works once.
 */
export async function startTokenRefreshes({
  sql,
  now,
}: ServiceContext & { sql: Sql }): Promise<ExpiringToken[]> {
  const at = now()
  const after = (ms: number) => new Date(at.getTime() + ms)
  const times = { at, expiresBefore: after(beforeExpiryMs), until: after(leaseMs) }
  const rows = await withDeadline(startRefreshRows(sql, times))
  return rows.map(({ team_id, connection_id, adapter, installed_at, expires_at }) => ({
    teamId: team_id,
    connectionId: connection_id,
    adapter,
    installedAt: installed_at,
    expiresAt: expires_at ?? at,
  }))
}

/** Stores the new tokens of a connection, unless the app was added again or removed in the meantime. */
export async function completeTokenRefresh(
  deps: ConnectionDeps,
  { teamId, connectionId: id, installedAt }: ExpiringToken,
  { kind, settings, expiring }: RefreshedTokens,
): Promise<void> {
  await inTransaction(systemContext(deps, teamId), async (within) => {
    const isCurrent = await updateExpiry(within.sql, {
      team_id: teamId,
      connection_id: id,
      installed_at: installedAt,
      expires_at: expiring?.expiresAt ?? null,
    })
    const refreshToken = expiring?.refreshToken ?? null
    if (isCurrent) await replaceTokens(within, { kind, id, settings, refreshToken })
  })
}
