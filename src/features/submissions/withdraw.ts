import { type Context, inTransaction } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { firstVersion } from '../../lib/versions.ts'
import { deleteBlock, lockBlockVersion } from '../content-blocks/index.ts'
import { markWithdrawn } from '../receipts/index.ts'

/**
 * Deletes the block of a submission for its sender while no editor has changed or reviewed it and no newsletter contains it.
 * Returns whether it was deleted.
 */
export async function withdrawSubmission(
  ctx: Context,
  { blockId: id }: { blockId: string },
): Promise<boolean> {
  try {
    return await inTransaction(ctx, async (txCtx) => {
      const { version } = await lockBlockVersion(txCtx, { id, expected: null })
      // What an editor has written must not be lost.
      if (version !== firstVersion) return false
      await deleteBlock(txCtx, { id, expected: null })
      await markWithdrawn(txCtx, { blockIds: [id] })
      return true
    })
  } catch (error) {
    if (error instanceof AppError && ['not_found', 'block_in_use'].includes(error.code))
      return false
    throw error
  }
}
