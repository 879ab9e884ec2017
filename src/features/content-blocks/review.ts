import type { BlockStatus } from '../../contract/vocabulary.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { recordAuditEach } from '../audit-log/index.ts'
import { keepBlockVersions, recordBlockVersions } from '../versions/index.ts'
import { updateStatuses } from './sql.ts'

/**
 * Marks drafts of a team as ready, or ready blocks as drafts. Returns how many of the blocks have
 * the status now. Blocks that do not exist, or whose status does not allow the change, stay as they
 * are.
 */
export async function reviewBlocks(
  ctx: Context,
  { ids, status }: { ids: readonly string[]; status: 'draft' | 'ready' },
): Promise<number> {
  const from: readonly BlockStatus[] =
    status === 'ready' ? ['draft', 'used', 'ready'] : ['ready', 'draft']
  return await inTransaction(ctx, async (within) => {
    const change = { ids, from, status, at: within.now() }
    await keepBlockVersions(within, ids)
    const reviewed = await updateStatuses(within.sql, ctx.actor.teamId, change)
    await recordBlockVersions(within, ids)
    const subjects = reviewed.flatMap((row) => (row.changed ? `${row.title} (${status})` : []))
    await recordAuditEach(within, 'block_reviewed', subjects)
    return reviewed.length
  })
}
