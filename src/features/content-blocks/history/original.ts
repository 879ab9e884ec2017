import * as v from 'valibot'
import { type Context, inTransaction } from '../../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../../lib/database/db.ts'
import { notFound } from '../../../lib/errors.ts'
import { lockBlockVersion, updateBlock } from '../update.ts'
import { selectOriginal, storeOriginal } from './original-sql.ts'

/** The text of a block before a suggestion was accepted. */
const Original = v.object({
  title: v.string(),
  body: v.string(),
  body_format: v.picklist(['html', 'text']),
})
type Original = v.InferOutput<typeof Original>

interface TextChange {
  id: string
  /** The version that the person has seen. */
  version: number
}

/**
 * Replaces the text of a block by a suggestion and keeps the text before the first one. Throws
 * `not_found`, `version_mismatch` and `validation_failed`.
 */
export async function acceptSuggestion(
  ctx: Context,
  { id, version, title, body }: TextChange & { title: string; body: string },
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    await lockBlockVersion(txCtx, { id, expected: [version] })
    await storeOriginal(txCtx.sql, ctx.actor.teamId, id)
    await updateBlock(txCtx, { id, change: { title, body }, expected: [version] })
  })
}

/** The text of a block before a suggestion was accepted, or null. */
export async function findOriginal(
  { sql, actor: { teamId } }: { sql: Sql | Tx; actor: Context['actor'] },
  id: string,
): Promise<Original | null> {
  const stored = await withDeadline(selectOriginal(sql, teamId, id))
  return stored ? v.parse(Original, stored) : null
}

/** Replaces the text of a block by its original. Throws `not_found` and `version_mismatch`. */
export async function restoreOriginal(ctx: Context, { id, version }: TextChange): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const original = await findOriginal(txCtx, id)
    if (!original) throw notFound('The original text')
    await updateBlock(txCtx, { id, change: original, expected: [version] })
  })
}
