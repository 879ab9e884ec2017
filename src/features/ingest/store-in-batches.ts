import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import { createBatcher, type Outcome, outcomeOf } from '../../lib/concurrency/batch.ts'
import { type Sql, type Tx, transaction, withDeadline } from '../../lib/database/db.ts'
import { isDatabaseUnavailable } from '../../lib/database/db-errors.ts'
import { AppError } from '../../lib/errors.ts'
import { revokedKey, selectActiveKeyIds } from '../api-keys/index.ts'
import { toContentBlock } from '../content-blocks/index.ts'
import { type IdempotencyKey, idempotencyKeyReused, replayedError } from '../idempotency/index.ts'
import {
  deleteResponse,
  type IncomingOutcome,
  type IncomingRow,
  insertOne,
  insertWithKeys,
  insertWithoutKeys,
  redirectResponse,
  selectByExternalId,
  selectEarlierResponse,
} from './sql.ts'

/** The response to one ingested item, which is stored under the Idempotency-Key. */
export interface StoredIngestResponse {
  content_block: ContentBlock
  warnings: string[]
}

export interface IngestResult {
  response: StoredIngestResponse
  /**
   * True when the same item was stored before: with the same external id or the same
   * Idempotency-Key.
   */
  duplicate: boolean
  /** True when the same response was sent before, under the same Idempotency-Key. */
  replayed: boolean
}

/**
 * Idempotency keys are unique per API key and path; all rows of this file have the path of ingest.
 */
export const ingestPath = '/webhooks/ingest'

// While one batch waits for the disk, PostgreSQL processes the other. Each costs about as much as ten of
// its rows, so a second one waits for enough of them.
export const ingestBatches = {
  maxItems: 200,
  maxConcurrent: 2,
  furtherBatch: { items: 24, orAfterMs: 20 },
}

interface BatchWriter {
  /**
   * Rows that wait while batches are running share one statement and one durable commit. A batch
   * never waits for more rows, so a single row takes as long as without batches.
   */
  write(row: IncomingRow): Promise<IngestResult>
  /** Stores rows in one statement. Each row has its own outcome. */
  writeAll(rows: readonly IncomingRow[]): Promise<Outcome<IngestResult>[]>
}

/** Writes blocks in batches. */
export function createBatchWriter(sql: Sql): BatchWriter {
  const run = (rows: readonly IncomingRow[]) => writeBatch(sql, rows)
  return { write: createBatcher({ ...ingestBatches, run }), writeAll: run }
}

/**
 * An invalid row must not fail the other rows. When the database is unavailable, all of them fail
 * at once.
 */
async function writeBatch(
  sql: Sql,
  rows: readonly IncomingRow[],
): Promise<Outcome<IngestResult>[]> {
  try {
    return await withDeadline(storeRows(sql, rows))
  } catch (error) {
    if (isDatabaseUnavailable(error) || rows.length === 1) throw error
    return await Promise.all(rows.map((row) => writeAlone(sql, row)))
  }
}

async function writeAlone(sql: Sql, row: IncomingRow): Promise<Outcome<IngestResult>> {
  const batch = await outcomeOf(withDeadline(storeRows(sql, [row])))
  if ('error' in batch) return batch
  return batch.value[0] ?? { error: new Error('A block has no outcome.') }
}

async function storeRows(sql: Sql, rows: readonly IncomingRow[]): Promise<Outcome<IngestResult>[]> {
  // Only such a row can need a second change, which must be in the same transaction.
  const needsTransaction = rows.some(
    (row) => row.idempotency_key !== null && row.external_id !== null,
  )
  if (!needsTransaction) return await storeWith(sql, rows)
  return await transaction(sql, (tx) => storeWith(tx, rows))
}

async function storeWith(
  sql: Sql | Tx,
  rows: readonly IncomingRow[],
): Promise<Outcome<IngestResult>[]> {
  const inserted = await insertRows(sql, rows)
  const outcomes = new Map<IncomingRow, Outcome<IngestResult>>()
  const hasNewKey = ({ id }: IncomingRow) => inserted.get(id)?.isKeyNew === true
  // The response under a new Idempotency-Key is final before another row of the batch replays it.
  const ordered = rows.toSorted((a, b) => Number(hasNewKey(b)) - Number(hasNewKey(a)))
  for (const row of ordered) outcomes.set(row, await outcomeOfRow(sql, row, inserted.get(row.id)))
  return rows.map((row) => outcomes.get(row) ?? { error: gone() })
}

async function outcomeOfRow(
  sql: Sql | Tx,
  row: IncomingRow,
  outcome: Omit<IncomingOutcome, 'id'> | undefined,
): Promise<Outcome<IngestResult>> {
  if (outcome?.stored) return { value: fresh(row) }
  if (!outcome?.isKeyActive) return { error: revokedKey() }
  return await settleDuplicate(sql, row, outcome.isKeyNew)
}

/** What became of rows, by their ids. Without Idempotency-Keys, one short statement stores most batches. */
async function insertRows(
  sql: Sql | Tx,
  rows: readonly IncomingRow[],
): Promise<Map<string, Omit<IncomingOutcome, 'id'>>> {
  if (rows.some((row) => row.idempotency_key !== null)) {
    const inserted = await insertWithKeys(sql, ingestPath, rows)
    return new Map(inserted.map((row) => [row.id, row]))
  }
  const [only] = rows
  const inserted = only && rows.length === 1 ? insertOne(sql, only) : insertWithoutKeys(sql, rows)
  const ids = new Set((await inserted).map(({ id }) => id))
  const others = rows.filter(({ id }) => !ids.has(id))
  const activeIds = others.length > 0 ? await selectActiveKeyIds(sql, others.map(keyOf)) : new Set()
  return new Map(
    rows.map(({ id, api_key_id }) => {
      const stored = ids.has(id)
      return [id, { isKeyActive: stored || activeIds.has(api_key_id), isKeyNew: false, stored }]
    }),
  )
}

const keyOf = ({ team_id, api_key_id }: IncomingRow) => ({ teamId: team_id, keyId: api_key_id })

/** The result of a row that was stored now. */
export const fresh = (row: IncomingRow): IngestResult => ({
  response: ingestResponseOf(row.response_body),
  duplicate: false,
  replayed: false,
})

// Sound, because only `createIngest` stores responses under this path.
const ingestResponseOf = (stored: unknown) => stored as StoredIngestResponse

async function settleDuplicate(
  sql: Sql | Tx,
  row: IncomingRow,
  isKeyNew: boolean,
): Promise<Outcome<IngestResult>> {
  if (row.idempotency_key !== null && !isKeyNew) return await replay(sql, row)
  const earlier = await selectByExternalId(sql, row)
  if (!earlier) {
    if (isKeyNew) await deleteResponse(sql, ingestPath, row)
    return { error: gone() }
  }
  const response = {
    ...ingestResponseOf(row.response_body),
    content_block: toContentBlock(earlier),
  }
  if (isKeyNew)
    await redirectResponse(sql, ingestPath, row, { id: earlier.id, response_body: response })
  return { value: { response, duplicate: true, replayed: false } }
}

async function replay(sql: Sql | Tx, row: IncomingRow): Promise<Outcome<IngestResult>> {
  const idempotencyKey = { key: row.idempotency_key ?? '', requestHash: row.request_hash ?? '' }
  return (await findReplay(sql, { keyId: row.api_key_id }, idempotencyKey)) ?? { error: gone() }
}

/** What a request gets whose Idempotency-Key was used before; undefined when it was not. */
export async function findReplay(
  sql: Sql | Tx,
  { keyId }: { keyId: string },
  { key, requestHash }: IdempotencyKey,
): Promise<Outcome<IngestResult> | undefined> {
  const earlier = await selectEarlierResponse(sql, { keyId, path: ingestPath }, key)
  if (!earlier) return undefined
  if (earlier.request_hash !== requestHash) {
    return { error: idempotencyKeyReused() }
  }
  if (earlier.status >= 400) return { error: replayedError(earlier.response_body) }
  return {
    value: { response: ingestResponseOf(earlier.response_body), duplicate: true, replayed: true },
  }
}

/** The first block was deleted in the meantime; a repetition returns a consistent result. */
function gone(): AppError {
  return new AppError('request_in_progress', 'The same item is being changed. Try again.', {
    retryAfterSeconds: 1,
  })
}
