import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

export interface EntryRow {
  key: string
  version: string
  is_withdrawn: boolean
  /** When the entry is over; null when it is not about a time. */
  ends_at: Date | null
}

/** The entries of a source with these keys. */
export async function selectEntries(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  keys: readonly string[],
): Promise<EntryRow[]> {
  return await sql<EntryRow[]>`
    select key, version, is_withdrawn, ends_at from polled_entries
    where team_id = ${teamId} and connection_id = ${connectionId} and key = any(${[...keys]})`
}

/**
 * Up to 1,000 entries that were last seen at this address of a source, are not over at a time but before another one,
 * and have not been withdrawn.
 */
export async function selectComing(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  { source, at, before }: { source: Buffer; at: Date; before: Date | null },
): Promise<EntryRow[]> {
  return await sql<EntryRow[]>`
    select key, version, is_withdrawn, ends_at from polled_entries
    where team_id = ${teamId} and connection_id = ${connectionId} and source_hash = ${source}
      and ends_at > ${at} and not is_withdrawn ${before ? sql`and ends_at < ${before}` : sql``}
    order by key limit 1000`
}

/** Where and when the entries of a poll were seen. */
export interface EntryOwner {
  team_id: string
  connection_id: string
  /** The hash of the address. */
  source_hash: Buffer
  seen_at: Date
}

/** Stores entries as they were seen. */
export async function upsertEntries(
  tx: Tx,
  owner: EntryOwner,
  entries: readonly EntryRow[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({ ...entry, ...owner }))
  await tx`
    insert into polled_entries
      ${tx(rows, 'team_id', 'connection_id', 'key', 'version', 'is_withdrawn', 'ends_at', 'source_hash', 'seen_at')}
    on conflict (team_id, connection_id, key) do update
      set version = excluded.version, is_withdrawn = excluded.is_withdrawn,
        ends_at = excluded.ends_at, source_hash = excluded.source_hash, seen_at = excluded.seen_at`
}

/** Stores that the entries with these keys were seen again, unless that was stored for this address since `before`. */
export async function updateSeen(
  tx: Tx,
  owner: EntryOwner,
  { keys, before }: { keys: readonly string[]; before: Date },
): Promise<void> {
  await tx`
    update polled_entries set source_hash = ${owner.source_hash}, seen_at = ${owner.seen_at}
    where team_id = ${owner.team_id} and connection_id = ${owner.connection_id}
      and key = any(${[...keys]}) and (seen_at < ${before} or source_hash <> ${owner.source_hash})`
}

/**
 * Deletes entries of all teams that were last seen before a time and were missing when their source was read after
 * that for `days` days.
 */
export async function deleteUnseen(
  sql: Sql | Tx,
  { before, days }: { before: Date; days: number },
): Promise<void> {
  const due = sql`seen_at < ${before} and exists (
    select from polled_sources s
    where s.team_id = polled_entries.team_id and s.connection_id = polled_entries.connection_id
      and polled_entries.seen_at < s.read_at - ${days} * interval '1 day')`
  await deleteInSlices(sql, 'polled_entries', due)
}
