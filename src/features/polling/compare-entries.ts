import type { Tx } from '../../lib/database/db.ts'
import { type EntryRow, selectComing, selectEntries } from './entries-sql.ts'

/** An entry of a source. */
export interface SeenEntry {
  /** Identifies it within the source, at most 200 characters. */
  key: string
  /** Differs when readers see another text. */
  version: string
  /** When it is over; null when it is not about a time. */
  endsAt: Date | null
  /** Whether it becomes an item when the source is read for the first time. */
  isFirstNews: boolean
}

/** An entry that is new, has changed or is missing. */
export interface EntryChange {
  /** Null: it is missing in the source. */
  entry: SeenEntry | null
  key: string
  /** The id of its delivery. */
  deliveryId: string
  /** Whether it is only stored as seen. */
  isSilent: boolean
  row: EntryRow
}

/** Compares the entries of a source with those that were seen before. */
export async function compareEntries(
  tx: Tx,
  { teamId, connectionId, isFirst }: { teamId: string; connectionId: string; isFirst: boolean },
  {
    entries,
    withdrawsMissing,
    at,
  }: { entries: readonly SeenEntry[]; withdrawsMissing: boolean; at: Date },
): Promise<EntryChange[]> {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  const rows = await selectEntries(tx, teamId, connectionId, [...byKey.keys()])
  const seen = new Map(rows.map((row) => [row.key, row]))
  const present = [...byKey.values()].flatMap((entry) => {
    const before = seen.get(entry.key)
    const isSame = before?.version === entry.version && !before.is_withdrawn
    return isSame ? [] : [changeOf(entry, before, isFirst && !entry.isFirstNews)]
  })
  if (!withdrawsMissing) return present
  const coming = await selectComing(tx, teamId, connectionId, at)
  return [...present, ...coming.filter(({ key }) => !byKey.has(key)).map(missing)]
}

function changeOf(entry: SeenEntry, before: EntryRow | undefined, isSilent: boolean): EntryChange {
  const { key, version, endsAt } = entry
  const revision = (before?.revision ?? 0) + 1
  const row = { key, version, revision, is_withdrawn: false, ends_at: endsAt }
  return { entry, key, deliveryId: `${key}:${revision}`, isSilent, row }
}

function missing(before: EntryRow): EntryChange {
  const { key } = before
  const revision = before.revision + 1
  const row = { ...before, revision, is_withdrawn: true }
  return { entry: null, key, deliveryId: `${key}:${revision}`, isSilent: false, row }
}
