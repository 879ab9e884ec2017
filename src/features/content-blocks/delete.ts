import { type Context, inTransaction, memberIdOf } from '../../lib/context.ts'
import { sendChange } from '../../lib/database/changes.ts'
import { AppError } from '../../lib/errors.ts'
import type { ExpectedVersions } from '../../lib/versions.ts'
import { recordAudit } from '../audit-log/index.ts'
import { deleteBlockRow } from './sql.ts'
import { lockBlockVersion } from './update.ts'
import { selectUnsentNewsletterWith } from './usage-sql.ts'

interface Deletion {
  id: string
  expected: ExpectedVersions
  /** The audit log says that the block was declined in a review. */
  isDeclined?: boolean
}

/**
 * Deletes a block; sent newsletters keep their copy of it. Throws `not_found`, `version_mismatch`, and
 * `block_in_use` while an unsent newsletter contains it.
 */
export async function deleteBlock(
  ctx: Context,
  { id, expected, isDeclined = false }: Deletion,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const { title } = await lockBlockVersion(txCtx, { id, expected })
    const newsletter = await selectUnsentNewsletterWith(txCtx.sql, teamId, id)
    if (newsletter) throw inUse(newsletter)
    await deleteBlockRow(txCtx.sql, teamId, id)
    await recordAudit(txCtx, isDeclined ? 'block_declined' : 'block_deleted', title)
    await sendChange(txCtx.sql, {
      topic: 'blocks',
      team: teamId,
      blocks: [id],
      by: memberIdOf(ctx),
    })
  })
}

function inUse(newsletter: { id: string; title: string }): AppError {
  return new AppError(
    'block_in_use',
    `The block is in the newsletter "${newsletter.title}". Remove it from there first.`,
    { extra: { newsletter } },
  )
}
