import { createBatcher, type Outcome } from '../../lib/concurrency/batch.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { isDatabaseUnavailable } from '../../lib/database/db-errors.ts'
import { type KnownKey, type RateLimitStatus, rateLimitOf } from '../api-keys/index.ts'
import type { IncomingRow } from './sql.ts'
import { countAndInsert, type UncheckedRow } from './store-with-key-check-sql.ts'

/** What became of a row whose request the statement has checked and counted. */
interface CheckedWrite {
  rateLimit: RateLimitStatus
  /** False: the row has the external id of an earlier one. */
  isStored: boolean
}

interface Unchecked {
  row: IncomingRow
  key: KnownKey
}

/** Checks the keys of rows, counts their requests and stores them, all in the statement of a batch. */
interface CheckedWriter {
  /**
   * Returns undefined for a row that is neither counted nor stored: its key has changed or is over its
   * limit, or the batch cannot be stored as it is.
   */
  write(unchecked: Unchecked): Promise<CheckedWrite | undefined>
}

/** Writes rows in batches. The sessions of `sql` have the settings of `keyBatchSession`. */
export function createCheckedWriter(
  sql: Sql,
  batches: {
    maxItems: number
    maxConcurrent: number
    furtherBatch: { items: number; orAfterMs: number }
  },
): CheckedWriter {
  const run = (batch: readonly Unchecked[]) => writeBatch(sql, batch)
  return { write: createBatcher({ ...batches, run }) }
}

type Written = Outcome<CheckedWrite | undefined>

async function writeBatch(sql: Sql, batch: readonly Unchecked[]): Promise<Written[]> {
  const rows = withPositions(batch)
  try {
    const checked = await withDeadline(countAndInsert(sql, [...rows.values()]))
    const byId = new Map(checked.map((row) => [row.id, row]))
    return batch.map(({ row }) => {
      const counted = byId.get(row.id)
      const position = rows.get(row)?.position ?? 0
      if (!counted || position >= counted.accepted) return { value: undefined }
      const rateLimit = rateLimitOf(counted, position, 1)
      return { value: { rateLimit, isStored: counted.stored } }
    })
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    // An invalid row must not fail the others: each of them is checked and stored by itself.
    return batch.map(() => ({ value: undefined }))
  }
}

/** The rows whose key was found in one version, with their positions among those of the same key. */
function withPositions(batch: readonly Unchecked[]): Map<IncomingRow, UncheckedRow> {
  const keys = new Map<string, { version: string; rows: number }>()
  const rows = new Map<IncomingRow, UncheckedRow>()
  for (const { row, key } of batch) {
    const known = keys.get(row.api_key_id) ?? { version: key.version, rows: 0 }
    keys.set(row.api_key_id, known)
    if (known.version === key.version) rows.set(row, { row, key, position: known.rows++ })
  }
  return rows
}
