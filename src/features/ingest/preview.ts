import type { Sql } from '../../lib/database/db.ts'
import { toContentBlock } from '../content-blocks/index.ts'
import type { IdempotencyKey } from '../idempotency/index.ts'
import { type IncomingRow, selectByExternalId } from './sql.ts'
import { findReplay, type StoredIngestResponse } from './store-in-batches.ts'

/** What a request would get if its item were stored. */
export type Preview = StoredIngestResponse & { duplicate: boolean }

interface PreviewInput {
  /** The row that would be stored, and the response to it. */
  prepared: {
    row: Pick<IncomingRow, 'team_id' | 'first_key_id' | 'external_id'>
    response: StoredIngestResponse
  }
  keyId: string
  idempotencyKey: IdempotencyKey | null
}

/** What a dry run responds with. Throws the error that was stored under the Idempotency-Key, and `idempotency_key_reused`. */
export async function findPreview(
  sql: Sql,
  { prepared: { row, response }, keyId, idempotencyKey }: PreviewInput,
): Promise<Preview> {
  const replay = idempotencyKey && (await findReplay(sql, { keyId }, idempotencyKey))
  if (replay && 'error' in replay) throw replay.error
  if (replay) return { ...replay.value.response, duplicate: true }
  const earlier = row.external_id === null ? undefined : await selectByExternalId(sql, row)
  if (!earlier) return { ...response, duplicate: false }
  return { ...response, content_block: toContentBlock(earlier), duplicate: true }
}
