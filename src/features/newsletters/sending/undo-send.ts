import { type Context, inTransaction, type TxContext } from '../../../lib/context.ts'
import { AppError } from '../../../lib/errors.ts'
import { recordAudit } from '../../audit-log/index.ts'
import { lockNewslettersOfBlocks } from '../../content-blocks/index.ts'
import { recordBlockVersions, saveFirstBlockVersions } from '../../versions/index.ts'
import { saveVersion } from '../history/save-version.ts'
import { lockNewsletter } from '../sql.ts'
import { missingNewsletter } from './transitions.ts'
import {
  countSnapshots,
  resetUnusedBlocks,
  restoreNewsletterBlocks,
  selectPostState,
  selectSnapshotIds,
  setReadyAgain,
} from './undo-send-sql.ts'

const undoMs = 10 * 60_000

/** Whether `undoSend` still works for a newsletter that was marked as sent at this moment. */
export const canUndoSend = (sentAt: Date, now: Date): boolean =>
  now.getTime() - sentAt.getTime() < undoMs

/**
 * Undoes "Mark as sent" for ten minutes: the newsletter and its blocks become `ready` again, and its
 * snapshot is deleted. A block that was sent in another newsletter, too, stays `used`. Throws
 * `not_found`, `newsletter_sent` when it is too late, it was posted to a chat or such a post is planned, and
 * `block_in_use` when one of its blocks was deleted since.
 */
export async function undoSend(ctx: Context, { id }: { id: string }): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const { sql, now } = txCtx
    const newsletter = await lockNewsletter(sql, teamId, id)
    if (!newsletter) throw missingNewsletter()
    const { sent_at, title } = newsletter
    if (!sent_at) return
    if (!canUndoSend(sent_at, now())) throw tooLate()
    await requireNoPost(txCtx, id)
    await lockNewslettersOfBlocks(sql, teamId, await selectSnapshotIds(sql, teamId, id))
    const restored = await restoreNewsletterBlocks(sql, teamId, id)
    if ((await countSnapshots(sql, teamId, id)) > 0) throw blockDeleted()
    await saveFirstBlockVersions(txCtx, restored)
    await resetUnusedBlocks(sql, teamId, restored, now())
    await recordBlockVersions(txCtx, { ids: restored })
    await setReadyAgain(sql, teamId, id, now())
    await saveVersion(txCtx, newsletter)
    await recordAudit(txCtx, 'newsletter_send_undone', title)
  })
}

const tooLate = () =>
  new AppError(
    'newsletter_sent',
    'It was marked as sent more than ten minutes ago, so this cannot be undone.',
  )

async function requireNoPost({ sql, actor }: TxContext, id: string): Promise<void> {
  const state = await selectPostState(sql, actor.teamId, id)
  if (state === 'planned')
    throw new AppError('newsletter_sent', 'A post to a chat is planned. Cancel it on Export first.')
  if (state === 'posted')
    throw new AppError('newsletter_sent', 'It was posted to a chat, so this cannot be undone.')
}

const blockDeleted = () =>
  new AppError(
    'block_in_use',
    'One of its blocks was deleted after it was sent, so this cannot be undone. Copy it to a new newsletter.',
  )
