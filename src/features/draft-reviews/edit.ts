import { type Context, inTransaction } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { type QueueContext, updateMessage } from '../chat-messages/index.ts'
import { getBlock, prepareBody, updateBlock } from '../content-blocks/index.ts'
import { lockOrCreateReview, titleIn } from './decide.ts'
import { selectEditor, updateEditor } from './sql.ts'

interface Edit {
  connectionId: string
  blockId: string
  /** The version that the person has read. */
  version: number
  title: string
  /** HTML; null when the text stays as it is. */
  body: string | null
  /** The id of the person in the chat. */
  userId: string
}

/** What became of a change to a draft. */
export type EditResult =
  | { outcome: 'edited' }
  /**
   * Somebody has changed the draft since the person has read it, and `by` is their id if they did so in the chat; or it
   * is not a draft any more. `title` is null for content from a private conversation.
   */
  | { outcome: 'edit_conflict'; title: string | null; by: string | null }
  | { outcome: 'edit_reviewed'; title: string | null }
  /** The block was declined or deleted. */
  | { outcome: 'edit_missing' }

/**
 * Changes the title and the text of a draft for the member who is the actor, unless somebody has changed it since.
 * A repeated call returns the same result. The message that shows the draft is updated.
 */
export async function editDraft(
  ctx: Context & { queue: JobQueue },
  edit: Edit,
): Promise<EditResult> {
  try {
    return await inTransaction(ctx, (txCtx) => editOnce(txCtx, edit))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') return { outcome: 'edit_missing' }
    if (error.code !== 'version_mismatch') throw error
    return await conflict(ctx, edit)
  }
}

async function editOnce(
  ctx: QueueContext,
  { connectionId, blockId, version, title, body, userId }: Edit,
): Promise<EditResult> {
  const review = await lockOrCreateReview(ctx, { connectionId, blockId })
  const block = await getBlock(ctx, blockId)
  if (block.status !== 'draft')
    return { outcome: 'edit_reviewed', title: await titleIn(ctx, { blockId, title: block.title }) }
  const change = { title, ...(body !== null && { body, body_format: 'html' as const }) }
  await updateBlock(ctx, { id: blockId, change, expected: [version] })
  const { teamId } = ctx.actor
  await updateEditor(ctx.sql, teamId, { connectionId, blockId, userId })
  const { message_id: messageId } = review
  if (messageId !== null) await updateMessage(ctx, { messageId, connectionId })
  return { outcome: 'edited' }
}

async function conflict(ctx: Context, edit: Edit): Promise<EditResult> {
  const { connectionId, blockId, title, body, userId } = edit
  const block = await getBlock(ctx, blockId)
  const isSame =
    block.title === title && (body === null || block.body === prepareBody(body, 'html').body)
  const by = await selectEditor(ctx.sql, ctx.actor.teamId, { connectionId, blockId })
  // The attempt before this one has saved it.
  if (isSame && by === userId) return { outcome: 'edited' }
  return {
    outcome: 'edit_conflict',
    title: await titleIn(ctx, { blockId, title: block.title }),
    by,
  }
}
