import { inTransaction } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { getBlock } from '../content-blocks/index.ts'
import {
  type EmailText,
  type NotifyContext,
  notifyMembers,
  type Recipient,
} from '../notifications/index.ts'
import { announceDiscussion } from './announce.ts'
import { listEditors } from './list.ts'
import { findMentions } from './mentions.ts'
import { requireUnderLimit } from './rate-limit.ts'
import { insertComment } from './sql.ts'

/** The most people who get an email about one comment. */
const maxMentions = 20

interface NewComment {
  blockId: string
  /** Who writes it. */
  memberId: string
  body: string
  /** Writes the email to a member whom the comment mentions. */
  compose(recipient: Recipient, block: { title: string }): EmailText
}

/**
 * Adds a comment to a block. The editors whom it mentions get an email if they want one, except its
 * author. Throws `not_found`, and `validation_failed` for a comment that mentions more than 20 people and for one that
 * comes too soon after many others of its author.
 */
export async function addComment(
  ctx: NotifyContext,
  { blockId, memberId, body, compose }: NewComment,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const block = await getBlock(txCtx, blockId)
    const mentioned = findMentions(body, await listEditors(txCtx))
    if (mentioned.length > maxMentions)
      throw invalidField('/body', `a comment mentions at most ${maxMentions} people`, 'too_many')
    await requireUnderLimit(txCtx, '/body')
    const at = txCtx.now()
    const row = { id: newId('bc', at), block_id: blockId, member_id: memberId, body, mentioned }
    await insertComment(txCtx.sql, teamId, { ...row, created_at: at })
    await notifyMembers(txCtx, {
      kind: 'mentions',
      memberIds: mentioned.filter((id) => id !== memberId),
      compose: (recipient) => compose(recipient, block),
    })
    await recordAudit(txCtx, 'block_commented', block.title)
    await announceDiscussion(txCtx, blockId)
  })
}
