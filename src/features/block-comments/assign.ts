import { inTransaction } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { getBlock } from '../content-blocks/index.ts'
import { findMember } from '../members/index.ts'
import {
  type EmailText,
  type NotifyContext,
  notifyMembers,
  type Recipient,
} from '../notifications/index.ts'
import { announceDiscussion } from './announce.ts'
import { requireUnderLimit } from './rate-limit.ts'
import { deleteAssignment, upsertAssignment } from './sql.ts'

interface Assignment {
  blockId: string
  /** Who works on the block; null: nobody. */
  memberId: string | null
  /** Who decides that; they get no email about themselves. */
  byMemberId: string
  /** Writes the email to the member. */
  compose(recipient: Recipient, block: { title: string }): EmailText
}

/**
 * Assigns a block to an editor, who gets an email if they want one. Throws `not_found`, and
 * `validation_failed` for a person who cannot edit blocks and for an assignment that comes too soon after many others.
 */
export async function assignBlock(
  ctx: NotifyContext,
  { blockId, memberId, byMemberId, compose }: Assignment,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const block = await getBlock(txCtx, blockId)
    if (memberId === null) {
      if (await deleteAssignment(sql, teamId, blockId)) {
        await recordAudit(txCtx, 'block_unassigned', block.title)
        await announceDiscussion(txCtx, blockId)
      }
      return
    }
    const editor = await findMember(txCtx, memberId)
    if (!editor || editor.role === 'viewer')
      throw invalidField('/member', 'must be an editor of this team', 'unknown')
    await requireUnderLimit(txCtx, '/member')
    if (!(await upsertAssignment(sql, teamId, { blockId, memberId, at: txCtx.now() }))) return
    await notifyMembers(txCtx, {
      kind: 'assignments',
      memberIds: memberId === byMemberId ? [] : [memberId],
      compose: (recipient) => compose(recipient, block),
    })
    await recordAudit(txCtx, 'block_assigned', `${block.title} (${editor.name})`)
    await announceDiscussion(txCtx, blockId)
  })
}
