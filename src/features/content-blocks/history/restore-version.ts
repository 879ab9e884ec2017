import type { ContentBlock } from '../../../contract/blocks/content-block.ts'
import { type Context, inTransaction } from '../../../lib/context.ts'
import type { ExpectedVersions } from '../../../lib/versions.ts'
import { getBlockVersion } from '../../versions/index.ts'
import { updateBlock } from '../update.ts'

/**
 * Gives a block the content of an earlier version, as its next version; its status stays. Throws
 * `not_found` and `version_mismatch`.
 */
export async function restoreBlockVersion(
  ctx: Context,
  { id, version, expected }: { id: string; version: number; expected: ExpectedVersions },
): Promise<ContentBlock> {
  return await inTransaction(ctx, async (txCtx) => {
    const { status: _, publish_after, ...content } = await getBlockVersion(txCtx, { id, version })
    const until = publish_after === null ? null : new Date(publish_after)
    const change = { ...content, publish_after: until }
    return await updateBlock(txCtx, { id, change, expected, restored: version })
  })
}
