import type { ConnectionState } from '../../../contract/vocabulary.ts'
import type { ReadContext } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { notFound } from '../../../lib/errors.ts'
import { type HealthRow, selectHealth, selectNames } from './sql.ts'

/** The state of a connection, and what an admin has to do when it fails. */
export interface ConnectionHealth {
  /** Waiting for its first request, working, delayed (it continues by itself), or failing. */
  state: ConnectionState
  /** Why it is delayed or failing. */
  reason: string | null
  /** What to do when it is failing. */
  action: string | null
  /** Requests without a valid signature since the connection was created. */
  refusedRequests: number
  lastRefusedAt: Date | null
  /** Requests that got 429 since the connection was created. */
  rateLimitedRequests: number
  /** Deliveries that wait: exact up to 10,000. */
  queued: number
  /** Seconds until the queue is empty at 60 items per minute. */
  secondsToDrain: number
  /** Whether the operator's app was added: nothing is entered at the provider. */
  isInstalled: boolean
  /** When its source was last read and is read next; null for a connection with a webhook. */
  polling: { lastAt: Date | null; nextAt: Date | null } | null
}

const itemsPerMinute = 60

/** The health of a connection. Throws `not_found`. */
export async function getConnectionHealth(ctx: ReadContext, id: string): Promise<ConnectionHealth> {
  const health = (await listHealthByConnection(ctx, [id])).get(id)
  if (!health) throw notFound('The connection')
  return health
}

/** The health of these connections of a team, by id. Ids of other connections are left out. */
export async function listHealthByConnection(
  { sql, actor }: ReadContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ConnectionHealth>> {
  const rows = await withDeadline(selectHealth(sql, actor.teamId, ids))
  return new Map(rows.map((row) => [row.id, healthOf(row)]))
}

/** A connection with its health, without its address and its secrets. */
export interface ConnectionWithHealth extends ConnectionHealth {
  id: string
  adapter: string
  label: string | null
  createdAt: Date
}

/** The health of the connections of the team, the newest first, at most 200. */
export async function listConnectionHealth(ctx: ReadContext): Promise<ConnectionWithHealth[]> {
  const rows = await withDeadline(selectNames(ctx.sql, ctx.actor.teamId))
  const ids = rows.map(({ id }) => id)
  const health = await listHealthByConnection(ctx, ids)
  return rows.flatMap(({ created_at: createdAt, ...row }) => {
    const found = health.get(row.id)
    return found ? [{ ...row, createdAt, ...found }] : []
  })
}

const healthOf = (row: HealthRow): ConnectionHealth => ({
  ...stateOf(row),
  refusedRequests: row.refused_requests,
  lastRefusedAt: row.last_refused_at,
  rateLimitedRequests: row.rate_limited_requests,
  queued: row.queued,
  secondsToDrain: Math.ceil(row.queued / itemsPerMinute) * 60,
  isInstalled: row.is_installed,
  polling: row.is_polled ? { lastAt: row.polled_at, nextAt: row.next_poll_at } : null,
})

const disconnections = {
  uninstalled: 'The app was removed from the workspace. Nothing is sent there any more.',
  revoked: 'The token of the app was revoked. Nothing is sent to the workspace any more.',
  expired:
    'The token of the app could not be refreshed. Nothing is sent to the workspace any more.',
} as const

type State = Pick<ConnectionHealth, 'state' | 'reason' | 'action'>

/** The state of a connection whose key or token is accepted no more; null for all others. */
function stateOfCredentials(row: HealthRow): State | null {
  if (!row.key_active) {
    const action = 'Replace the key of the connection. Its address stays the same.'
    return { state: 'failing', reason: 'Its API key was revoked or has expired.', action }
  }
  if (row.disconnected_reason !== null) {
    const action = 'Add the app again, or save a new token in the settings of the connection.'
    return { state: 'failing', reason: disconnections[row.disconnected_reason], action }
  }
  const problem = row.token_problem ?? row.refresh_problem ?? row.socket_problem
  return problem === null ? null : { state: 'failing', reason: problem, action: problem }
}

function stateOf(row: HealthRow): State {
  const { newest_status: status, newest_reason, waiting_reason: reason } = row
  const ofCredentials = stateOfCredentials(row)
  if (ofCredentials) return ofCredentials
  if (row.poll_problem !== null) return stateOfSource(row)
  if (row.last_refused_at && row.last_refused_at > (row.newest_at ?? new Date(0))) {
    const action = 'Check the secret: it has to be the same here and at the provider.'
    return { state: 'failing', reason: 'The last request had no valid signature.', action }
  }
  const refusal = refusalOf(row)
  if (refusal !== null) return { state: 'failing', reason: refusal, action: refusal }
  if (reason !== null) return { state: 'delayed', reason, action: null }
  if (status === 'failed') {
    const action = 'Correct the cause, then replay the failed deliveries.'
    return { state: 'failing', reason: newest_reason, action }
  }
  const isWaiting = status === null && row.poll_succeeded_at === null
  return { state: isWaiting ? 'waiting' : 'working', reason: null, action: null }
}

/**
 * The message of a provider that refuses our requests, or of a chat that refuses a message to a channel; it says what to
 * do. A message to a person also fails for reasons of that person.
 */
const refusalOf = (row: HealthRow): string | null =>
  row.waiting_problem === 'refused'
    ? row.waiting_reason
    : row.message_status === 'failed'
      ? row.message_reason
      : null

/** Polls that fail one after the other take half a day by then. */
const toleratedFailures = 7

/** The state of a source whose last poll failed. */
function stateOfSource({
  poll_problem: problem,
  poll_reason: reason,
  poll_failures: failures,
}: HealthRow): State {
  if (problem === 'ended') {
    const action =
      'Enter its new address in the settings of the connection, or remove the connection.'
    return { state: 'failing', reason, action }
  }
  // The message of a source that refuses our requests says which setting to check.
  if (problem === 'refused') return { state: 'failing', reason, action: reason }
  if ((failures ?? 0) < toleratedFailures) return { state: 'delayed', reason, action: null }
  const action = 'Open its address in a browser, and correct it in the settings of the connection.'
  return { state: 'failing', reason, action }
}
