import type { BlockStatus } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, memberIdOf } from '../../lib/context.ts'
import { sendChange } from '../../lib/database/changes.ts'
import { recordAuditEach } from '../audit-log/index.ts'
import { recordBlockVersions, saveFirstBlockVersions } from '../versions/index.ts'
import { lockNewslettersOfBlocks } from './newsletters-sql.ts'
import { type SeenBlock, updateStatuses } from './sql.ts'

// A message of PostgreSQL has at most 8,000 bytes.
const maxAnnounced = 100

/** The result of a review of several blocks. */
export interface ReviewedBlocks {
  /** How many of the blocks have the status now. */
  count: number
  /** The titles of the blocks that were changed since they were seen; they stay as they are. */
  outdated: string[]
}

/**
 * Marks drafts of a team as ready, or ready blocks as drafts, unless they were changed since they were
 * seen. Blocks that do not exist, or whose status does not allow the change, stay as they are.
 */
export async function reviewBlocks(
  ctx: Context,
  { seen, status }: { seen: readonly SeenBlock[]; status: 'draft' | 'ready' },
): Promise<ReviewedBlocks> {
  const from: readonly BlockStatus[] =
    status === 'ready' ? ['draft', 'used', 'ready'] : ['ready', 'draft']
  const team = ctx.actor.teamId
  const ids = seen.map(({ id }) => id)
  return await inTransaction(ctx, async (txCtx) => {
    await lockNewslettersOfBlocks(txCtx.sql, team, ids)
    await saveFirstBlockVersions(txCtx, ids)
    const change = { seen, from, status, at: txCtx.now() }
    const rows = await updateStatuses(txCtx.sql, team, change)
    await recordBlockVersions(txCtx, { ids })
    const changed = rows.filter(({ outcome }) => outcome === 'changed')
    const subjects = changed.map(({ title }) => `${title} (${status})`)
    await recordAuditEach(txCtx, 'block_reviewed', subjects)
    const by = memberIdOf(ctx)
    for (let at = 0; at < changed.length; at += maxAnnounced) {
      const blocks = changed.slice(at, at + maxAnnounced).map(({ id }) => id)
      await sendChange(txCtx.sql, { topic: 'blocks', team, blocks, by })
    }
    const outdated = rows.flatMap(({ title, outcome }) => (outcome === 'outdated' ? [title] : []))
    return { count: rows.length - outdated.length, outdated }
  })
}
