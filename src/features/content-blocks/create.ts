import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import { BlockChange, type NewBlock, newBlockDefaults } from '../../contract/blocks/input.ts'
import type { BlockSource } from '../../contract/vocabulary.ts'
import { type Actor, type Context, inTransaction } from '../../lib/context.ts'
import { type FieldError, inputErrorsOf } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { validPartOf } from '../../lib/parse.ts'
import { recordAudit } from '../audit-log/index.ts'
import { recordBlockVersions } from '../versions/index.ts'
import { type ConvertBody, convertWritten, prepareBody } from './body.ts'
import { toContentBlock } from './get.ts'
import { insertBlock } from './sql.ts'

/** The origin of a block that somebody sent. */
interface BlockOrigin {
  source?: BlockSource
  /** The id of what was sent. */
  external_id?: string | null
  /** Converts the body; without it, a long one delays other requests. */
  convert?: ConvertBody
}

/**
 * Creates a block of the actor's team. Without `source`, a key creates it as `agent` and anybody else
 * as `manual`. Throws `validation_failed` for a body that is empty once it is sanitized.
 */
export async function createBlock(
  ctx: Context,
  {
    source = sourceOf(ctx.actor),
    external_id = null,
    convert = convertWritten,
    ...input
  }: NewBlock & BlockOrigin,
): Promise<ContentBlock> {
  const { body, body_format } = await convert({
    body: input.body,
    format: input.body_format ?? null,
  })
  return await inTransaction(ctx, async (txCtx) => {
    const { sql, now, actor } = txCtx
    const at = now()
    const row = await insertBlock(sql, {
      ...newBlockDefaults,
      ...input,
      body,
      body_format,
      id: newId('cb', at),
      source,
      external_id,
      team_id: actor.teamId,
      created_at: at,
      api_key_id: actor.kind === 'key' ? actor.keyId : null,
    })
    await recordAudit(txCtx, 'block_created', input.title)
    // The history names the person. The creator of other blocks is known from their source.
    if (actor.kind === 'member') await recordBlockVersions(txCtx, { ids: [row.id] })
    return toContentBlock(row)
  })
}

/** What the schema of a block cannot find: a text of which nothing is left. */
export async function findBlockErrors(
  input: Readonly<Record<string, unknown>>,
): Promise<FieldError[]> {
  const { body, body_format: format } = validPartOf(BlockChange, input)
  return await inputErrorsOf(() => body && prepareBody(body, format))
}

const sourceOf = (actor: Actor): BlockSource => (actor.kind === 'key' ? 'agent' : 'manual')
