import type { Sql, Tx } from '../../lib/database/db.ts'

/** Why a poll failed. */
export type PollProblem = 'refused' | 'rate_limited' | 'unavailable' | 'ended'

/**
 * Stores that the source of a connection has to be read now, also one that had ended. A poll that is under way is not
 * stored: it reads with the settings before.
 */
export async function upsertDueSource(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  dueAt: Date,
): Promise<void> {
  await sql`
    insert into polled_sources (team_id, connection_id, due_at)
    values (${teamId}, ${connectionId}, ${dueAt})
    on conflict (team_id, connection_id) do update
      set due_at = excluded.due_at, queued_at = null, failures = 0, reason = null, problem = null,
        version = polled_sources.version + 1`
}

/** Deletes the source of a connection with its entries. */
export async function deleteSource(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
): Promise<void> {
  await sql`
    delete from polled_sources where team_id = ${teamId} and connection_id = ${connectionId}`
}

/**
 * Up to `limit` sources of all teams that are due, marked as queued. One that was queued before `lostBefore` is
 * queued again, because its job was lost.
 */
export async function queueDue(
  tx: Tx,
  { now, lostBefore, limit }: { now: Date; lostBefore: Date; limit: number },
): Promise<{ team_id: string; connection_id: string }[]> {
  return await tx<{ team_id: string; connection_id: string }[]>`
    update polled_sources s set queued_at = ${now}
    from (
      select team_id, connection_id from polled_sources
      where due_at <= ${now} and (queued_at is null or queued_at < ${lostBefore})
      order by due_at limit ${limit} for update skip locked
    ) as due
    where s.team_id = due.team_id and s.connection_id = due.connection_id
    returning s.team_id, s.connection_id`
}

export interface SourceRow {
  source_hash: Buffer | null
  /** The hash of the first address that was read. */
  first_source_hash: Buffer | null
  due_at: Date | null
  failures: number
  state: unknown
  version: number
}

/** The source of a connection. */
export async function selectSource(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
): Promise<SourceRow | undefined> {
  const [row] = await sql<SourceRow[]>`
    select source_hash, first_source_hash, due_at, failures, state, version from polled_sources
    where team_id = ${teamId} and connection_id = ${connectionId}`
  return row
}

/** Locks the source of a connection until the transaction ends; false after another poll has been stored. */
export async function lockSource(
  tx: Tx,
  teamId: string,
  connectionId: string,
  version: number,
): Promise<boolean> {
  const rows = await tx`
    select 1 from polled_sources
    where team_id = ${teamId} and connection_id = ${connectionId} and version = ${version}
    for update`
  return rows.length > 0
}

export interface PollRow {
  team_id: string
  connection_id: string
  version: number
  polled_at: Date
  due_at: Date | null
}

/** Stores a poll that read the entries of a source. */
export async function updateRead(
  tx: Tx,
  row: PollRow & { source: Buffer; state: unknown },
): Promise<void> {
  await tx`
    update polled_sources set source_hash = ${row.source},
      first_source_hash = coalesce(first_source_hash, ${row.source}),
      state = ${asJson(row.state)}::text::json, read_at = ${row.polled_at}
    where team_id = ${row.team_id} and connection_id = ${row.connection_id} and version = ${row.version}`
  await updateSucceeded(tx, row)
}

/** Stores a poll that succeeded, unless another one was stored meanwhile. */
export async function updateSucceeded(sql: Sql | Tx, row: PollRow): Promise<void> {
  await sql`
    update polled_sources set polled_at = ${row.polled_at}, succeeded_at = ${row.polled_at},
      due_at = ${row.due_at}, queued_at = null, failures = 0, reason = null, problem = null,
      version = version + 1
    where team_id = ${row.team_id} and connection_id = ${row.connection_id} and version = ${row.version}`
}

/** Stores a poll that failed, unless another one was stored meanwhile. */
export async function updateFailed(
  sql: Sql | Tx,
  row: PollRow & { reason: string; problem: PollProblem },
): Promise<void> {
  await sql`
    update polled_sources set reason = ${row.reason}, problem = ${row.problem}, failures = failures + 1,
      polled_at = ${row.polled_at}, due_at = ${row.due_at}, queued_at = null, version = version + 1
    where team_id = ${row.team_id} and connection_id = ${row.connection_id} and version = ${row.version}`
}

const asJson = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
