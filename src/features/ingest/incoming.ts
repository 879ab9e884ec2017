import type { ContentBlock } from '../../contract/content-block.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import { revokedKey } from '../api-keys/index.ts'
import { toContentBlock } from '../content-blocks/index.ts'
import { idempotencyKeyReused } from '../idempotency/index.ts'
import {
  type IncomingRow,
  insertIncoming,
  redirectResponse,
  selectByExternalId,
  selectEarlierResponse,
} from './sql.ts'

/** The answer to one ingested item; exactly what an Idempotency-Key remembers. */
export interface IngestResponse {
  content_block: ContentBlock
  warnings: string[]
}

export interface IngestResult {
  answer: IngestResponse
  /** The very same thing was there already: by external id, or by Idempotency-Key. */
  duplicate: boolean
  /** The answer was given before, under the same Idempotency-Key. */
  replayed: boolean
}

/** Idempotency keys are unique per API key and path; all rows here came in by one door. */
const path = '/webhooks/ingest'
const largestBatch = 200

interface Waiting {
  row: IncomingRow
  resolve: (result: IngestResult) => void
  reject: (error: unknown) => void
}

type Outcome = { ok: IngestResult } | { error: unknown }

/**
 * Writes blocks in batches: what waits while a write is under way goes out together in the next one,
 * in one statement and one durable commit. A batch never waits for more to come, so a lone block is
 * as quick as without.
 */
export function createBatchWriter(sql: Sql): (row: IncomingRow) => Promise<IngestResult> {
  const waiting: Waiting[] = []
  let writing = false

  async function writeAll(): Promise<void> {
    writing = true
    while (waiting.length > 0) await writeBatch(sql, waiting.splice(0, largestBatch))
    writing = false
  }

  return (row) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (!writing) void writeAll()
    })
}

async function writeBatch(sql: Sql, batch: readonly Waiting[]): Promise<void> {
  try {
    const outcomes = await storeRows(
      sql,
      batch.map(({ row }) => row),
    )
    for (const { row, resolve, reject } of batch) {
      const outcome = outcomes.get(row.id) ?? { error: new Error('a batched block got no outcome') }
      if ('ok' in outcome) resolve(outcome.ok)
      else reject(outcome.error)
    }
  } catch (error) {
    await writeApart(sql, batch, error)
  }
}

/** One bad row must not fail its neighbours; when the database is away, all of them hear it at once. */
async function writeApart(sql: Sql, batch: readonly Waiting[], error: unknown): Promise<void> {
  const away = error instanceof AppError && error.code === 'database_unavailable'
  const [first] = batch
  if (away || (batch.length === 1 && first)) {
    for (const { reject } of batch) reject(error)
    return
  }
  for (const one of batch) await writeBatch(sql, [one])
}

async function storeRows(sql: Sql, rows: readonly IncomingRow[]): Promise<Map<string, Outcome>> {
  return await withDeadline(
    sql.begin(async (tx) => {
      const byId = new Map(rows.map((row) => [row.id, row]))
      const outcomes = new Map<string, Outcome>()
      for (const { id, key_alive, claimed, stored } of await insertIncoming(tx, path, rows)) {
        const row = byId.get(id)
        if (!row) continue
        if (!key_alive) outcomes.set(id, { error: revokedKey() })
        else if (stored) outcomes.set(id, { ok: fresh(row) })
        else outcomes.set(id, await settleDuplicate(tx, row, claimed))
      }
      return outcomes
    }),
  )
}

const fresh = (row: IncomingRow): IngestResult => ({
  answer: answerOf(row.answer),
  duplicate: false,
  replayed: false,
})

// What is stored as an answer was made by `createIngest`, and by nobody else.
const answerOf = (stored: unknown) => stored as IngestResponse

async function settleDuplicate(tx: Tx, row: IncomingRow, claimed: boolean): Promise<Outcome> {
  if (row.idempotency_key !== null && !claimed) return await replay(tx, row)
  const earlier = await selectByExternalId(tx, row)
  if (!earlier) return { error: gone() }
  const answer = { ...answerOf(row.answer), content_block: toContentBlock(earlier) }
  if (claimed) await redirectResponse(tx, path, row, { id: earlier.id, answer })
  return { ok: { answer, duplicate: true, replayed: false } }
}

async function replay(tx: Tx, row: IncomingRow): Promise<Outcome> {
  const earlier = await selectEarlierResponse(tx, path, row)
  if (!earlier) return { error: gone() }
  if (earlier.request_hash !== row.request_hash) {
    return { error: idempotencyKeyReused() }
  }
  return { ok: { answer: answerOf(earlier.answer), duplicate: true, replayed: true } }
}

/** The first of two was deleted in the moment between: asking again gives a clean answer. */
function gone(): AppError {
  return new AppError('request_in_progress', 'The same item is being changed. Try again.', {
    retryAfterSeconds: 1,
  })
}
