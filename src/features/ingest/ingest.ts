import type { IngestItem } from '../../contract/ingest.ts'
import type { Now } from '../../lib/clock.ts'
import type { Sql } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { wordsLostAsTags } from '../../lib/sanitize-html.ts'
import type { Caller } from '../api-keys/index.ts'
import { prepareBody, toContentBlock } from '../content-blocks/index.ts'
import { missingEvent } from '../events/index.ts'
import type { IdempotencyKey } from '../idempotency/index.ts'
import { createBatchWriter, type IngestResponse, type IngestResult } from './incoming.ts'
import { type IncomingRow, selectByExternalId } from './sql.ts'

/** The caller's key, as far as a block depends on it. */
type IngestCaller = Pick<Caller, 'keyId' | 'teamId' | 'keyName' | 'allowAutoReady' | 'provider'>

export interface Ingest {
  /** Stores an item durably before it returns. Throws `revoked_key`, `idempotency_key_reused`. */
  store(caller: IngestCaller, item: IngestItem, claim: IdempotencyKey | null): Promise<IngestResult>
  /** What `store` would respond with; stores nothing. */
  preview(caller: IngestCaller, item: IngestItem): Promise<IngestResponse & { duplicate: boolean }>
}

/** The way into the library for everything that comes from outside. */
export function createIngest(sql: Sql, now: Now): Ingest {
  const write = createBatchWriter(sql)
  const prepare = async (caller: IngestCaller, item: IngestItem) => {
    const row = rowOf(caller, item, now())
    const unknownEvent = item.event_slug
      ? await missingEvent(sql, caller.teamId, item.event_slug)
      : []
    const warnings = [...lostWords(item, row.body_format), ...unknownEvent]
    return { row, answer: { content_block: toContentBlock(row), warnings } }
  }
  return {
    async store(caller, item, claim) {
      const { row, answer } = await prepare(caller, item)
      return await write({
        ...row,
        idempotency_key: claim?.key ?? null,
        request_hash: claim?.requestHash ?? null,
        answer,
      })
    },
    async preview(caller, item) {
      const { row, answer } = await prepare(caller, item)
      const earlier = row.external_id === null ? undefined : await selectByExternalId(sql, row)
      if (!earlier) return { ...answer, duplicate: false }
      return { ...answer, content_block: toContentBlock(earlier), duplicate: true }
    },
  }
}

/** A warning when sanitizing removes words that only look like a part of a tag. */
function lostWords({ body, body_format }: IngestItem, stored: string): string[] {
  if (stored !== 'html' || body_format === 'markdown') return []
  const words = wordsLostAsTags(body)
  if (words.length === 0) return []
  const some = words.slice(0, 5).map((word) => word.slice(0, 40))
  return [
    `body contains words that look like HTML and were removed: ${some.join(', ')}; send body_format "text" to keep them`,
  ]
}

function rowOf(
  caller: IngestCaller,
  item: IngestItem,
  at: Date,
): Omit<IncomingRow, 'idempotency_key' | 'request_hash' | 'answer'> {
  if (item.auto_ready && !caller.allowAutoReady) {
    throw new AppError('insufficient_scope', 'This key may not use auto_ready; leave it out.', {
      extra: { required_scope: 'write', required_option: 'allow_auto_ready' },
    })
  }
  return {
    id: newId('cb', at),
    team_id: caller.teamId,
    title: item.title,
    ...prepareBody(
      item.body,
      item.body_format === 'markdown' ? 'html' : (item.body_format ?? undefined),
    ),
    block_type: item.block_type ?? 'general',
    status: item.auto_ready ? 'ready' : 'draft',
    source: 'webhook',
    event_slug: item.event_slug ?? null,
    image_url: item.image_url ?? null,
    image_size: null,
    provider: caller.provider,
    external_id: item.external_id ?? null,
    source_url: item.source_url ?? null,
    author: item.author ?? null,
    publish_after: item.publish_after ?? null,
    api_key_id: caller.keyId,
    api_key_name: caller.keyName,
    version: 1,
    created_at: at,
    updated_at: at,
  }
}
