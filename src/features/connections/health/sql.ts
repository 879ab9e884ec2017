import type { Sql, Tx } from '../../../lib/database/db.ts'
import type { PollProblem } from '../../polling/index.ts'

export interface HealthRow {
  id: string
  key_active: boolean
  disconnected_reason: 'uninstalled' | 'revoked' | 'expired' | null
  /** Why the provider does not accept the token. */
  token_problem: string | null
  /** Why the provider does not exchange the refresh token, while the token is valid. */
  refresh_problem: string | null
  refused_requests: number
  /** Why the socket cannot be opened, while a process tries. */
  socket_problem: string | null
  last_refused_at: Date | null
  rate_limited_requests: number
  queued: number
  /** Why the last attempt at the oldest waiting delivery failed. */
  waiting_reason: string | null
  waiting_problem: string | null
  newest_status: string | null
  newest_reason: string | null
  newest_at: Date | null
  /** The newest message of the bot to a channel that is settled, and why it was not sent. */
  message_status: string | null
  message_reason: string | null
  /** Whether the operator's app was added, so that the provider has its address. */
  is_installed: boolean
  /** Whether its source is read on a schedule. */
  is_polled: boolean
  polled_at: Date | null
  next_poll_at: Date | null
  poll_succeeded_at: Date | null
  poll_failures: number | null
  poll_reason: string | null
  poll_problem: PollProblem | null
}

/**
 * The values from which the health of these connections of a team is derived. Counts at most 10,000
 * waiting deliveries of each.
 */
export async function selectHealth(
  sql: Sql | Tx,
  teamId: string,
  ids: readonly string[],
): Promise<HealthRow[]> {
  const ofConnection = sql`d.team_id = ${teamId} and d.connection_id = c.id`
  return await sql<HealthRow[]>`
    select c.id, c.disconnected_reason, c.token_problem, i.refresh_problem,
      (
        select l.problem from socket_leases l
        where l.team_id = c.team_id and l.connection_id = c.id and l.held_until > clock_timestamp()
      ) as socket_problem, c.refused_requests, c.last_refused_at, c.rate_limited_requests,
      k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_timestamp()) as key_active,
      (select count(*)::integer from (
        select 1 from deliveries d where ${ofConnection} and d.status = 'waiting' limit 10000
      ) as waiting) as queued,
      failed.reason as waiting_reason, failed.problem as waiting_problem,
      newest.status as newest_status, newest.reason as newest_reason, newest.received_at as newest_at,
      message.status as message_status, message.reason as message_reason,
      i.connection_id is not null as is_installed, s.connection_id is not null as is_polled, s.polled_at, s.due_at as next_poll_at,
      s.succeeded_at as poll_succeeded_at, s.failures as poll_failures, s.reason as poll_reason,
      s.problem as poll_problem
    from connections c join api_keys k on k.team_id = c.team_id and k.id = c.api_key_id
    left join app_installations i on i.team_id = c.team_id and i.connection_id = c.id
    left join polled_sources s on s.team_id = c.team_id and s.connection_id = c.id
    left join lateral (
      select d.reason, d.problem from deliveries d
      where ${ofConnection} and d.status = 'waiting' and d.reason is not null
      order by d.id limit 1
    ) as failed on true
    left join lateral (
      select d.status, d.reason, d.received_at from deliveries d
      where ${ofConnection} order by d.id desc limit 1
    ) as newest on true
    left join lateral (
      select m.status, m.reason from (
        select id, kind, status, reason from chat_messages m
        where m.team_id = c.team_id and m.connection_id = c.id
        order by id desc limit ${newestMessages}
      ) as m
      where m.kind in ('review', 'prompt') and m.status in ('sent', 'failed', 'unknown')
      order by m.id desc limit 1
    ) as message on true
    where c.team_id = ${teamId} and c.id = any(${[...ids]}) and c.removed_at is null`
}

/** The number of newest messages among which one to a channel is searched; most are to people. */
const newestMessages = 50
const maxConnections = 200

/** The names of a team's connections, newest first. */
export async function selectNames(
  sql: Sql | Tx,
  teamId: string,
): Promise<{ id: string; adapter: string; label: string | null; created_at: Date }[]> {
  return await sql<{ id: string; adapter: string; label: string | null; created_at: Date }[]>`
    select id, adapter, label, created_at from connections
    where team_id = ${teamId} and removed_at is null order by id desc limit ${maxConnections}`
}
