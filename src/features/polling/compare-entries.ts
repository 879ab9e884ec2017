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

interface Poll {
  teamId: string
  connectionId: string
  /** The hash of the address of the source. */
  source: Buffer
  /** Whether another source was read before, or none. */
  isFirst: boolean
  version: number
}

/** Compares the entries of a source with all that were seen before; only those of its present address can be missing. */
export async function compareEntries(
  tx: Tx,
  { teamId, connectionId, source, isFirst, version }: Poll,
  {
    entries,
    withdrawsMissing,
    completeUntil,
    at,
  }: {
    entries: readonly SeenEntry[]
    withdrawsMissing: boolean
    completeUntil: Date | null
    at: Date
  },
): Promise<EntryChange[]> {
  const byKey = new Map(entries.map((entry) => [entry.key, entry]))
  const rows = await selectEntries(tx, teamId, connectionId, [...byKey.keys()])
  const seen = new Map(rows.map((row) => [row.key, row]))
  const present = [...byKey.values()].flatMap((entry) => {
    const before = seen.get(entry.key)
    const isSame = before?.version === entry.version && !before.is_withdrawn
    if (isSame) return []
    const { key } = entry
    const isSilent = isFirst && !entry.isFirstNews
    return [{ entry, key, deliveryId: deliveryIdOf(key, version), isSilent, row: rowOf(entry) }]
  })
  if (!withdrawsMissing) return present
  const coming = await selectComing(tx, teamId, connectionId, { source, at, before: completeUntil })
  const missing = coming.filter(({ key }) => !byKey.has(key))
  return [...present, ...missing.map((row) => withdrawalOf(row, version))]
}

const rowOf = ({ key, version, endsAt }: SeenEntry): EntryRow => ({
  key,
  version,
  is_withdrawn: false,
  ends_at: endsAt,
})

function withdrawalOf(before: EntryRow, version: number): EntryChange {
  const { key } = before
  const row = { ...before, is_withdrawn: true }
  return { entry: null, key, deliveryId: deliveryIdOf(key, version), isSilent: false, row }
}

/** Only one poll with a version is stored, and versions never restart, so each change has a delivery of its own. */
const deliveryIdOf = (key: string, version: number) => `${key}:v${version}`
