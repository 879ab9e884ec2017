import {
  type Context,
  inTransaction,
  type LinkContext,
  type ReadContext,
} from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { AppError } from '../../../lib/errors.ts'
import type { ExpectedVersions } from '../../../lib/versions.ts'
import { recordAudit } from '../../audit-log/index.ts'
import { type Notification, type NotifyContext, notifyMembers } from '../../notifications/index.ts'
import { selectNewsletterBlocks } from '../composition/blocks-sql.ts'
import { saveVersion } from '../history/save-version.ts'
import { lockEditableNewsletter } from '../update.ts'
import { hashEmail, isApprovedContent } from './approval-check.ts'
import {
  type ApprovalRow,
  selectApproval,
  selectRequiresApproval,
  updateApprovalRequested,
  updateApproved,
  updateRequiresApproval,
} from './approval-sql.ts'
import { missingNewsletter, requireTransition } from './transitions.ts'

/** The approval of a newsletter, and whether the team requires one. Throws `not_found`. */
export async function getApproval({ sql, actor }: ReadContext, id: string): Promise<ApprovalRow> {
  const row = await withDeadline(selectApproval(sql, actor.teamId, id))
  if (!row) throw missingNewsletter()
  return row
}

/** Whether a second person has to approve the newsletters of a team. */
export const requiresApproval = async ({ sql, actor }: ReadContext): Promise<boolean> =>
  await withDeadline(selectRequiresApproval(sql, actor.teamId))

/** Stores whether a second person has to approve the newsletters of the team. */
export async function setApprovalRequired(ctx: Context, required: boolean): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    if (!(await updateRequiresApproval(txCtx.sql, ctx.actor.teamId, required))) return
    await recordAudit(txCtx, required ? 'approval_required' : 'approval_optional')
  })
}

/**
 * Approves a newsletter as it is and makes it ready; does nothing when the member has approved it as it is.
 * The approval ends with the next change, and with one of what readers would see. Throws
 * `not_found`, `newsletter_sent`, `version_mismatch`, `invalid_transition` for one that is not complete,
 * and `insufficient_scope` for the member who changed it last.
 */
export async function approveNewsletter(
  ctx: LinkContext,
  { id, memberId, expected }: { id: string; memberId: string; expected: ExpectedVersions },
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected })
    if (newsletter.changed_by === memberId) {
      throw new AppError(
        'insufficient_scope',
        'You changed this newsletter last, so another person has to approve it.',
      )
    }
    const isRepeated = newsletter.status === 'ready' && newsletter.approved_by === memberId
    if (isRepeated && (await isApprovedContent(txCtx, newsletter))) return
    const at = txCtx.now()
    const blocks = await selectNewsletterBlocks(sql, teamId, id)
    const from = newsletter.status === 'draft' ? 'in_progress' : newsletter.status
    requireTransition(from, { ...newsletter, status: 'ready' }, blocks, at)
    const hash = await hashEmail(txCtx, { newsletter, at })
    await updateApproved(sql, teamId, id, { memberId, hash, at })
    await recordAudit(txCtx, 'newsletter_approved', newsletter.title)
    await saveVersion(txCtx, newsletter)
  })
}

const requestPauseMs = 10 * 60_000

/** Whether others can be asked for an approval: ten minutes after they were asked last. */
export const canAskForApproval = ({ requested_at }: ApprovalRow, now: Date): boolean =>
  requested_at === null || now.getTime() - requested_at.getTime() >= requestPauseMs

/**
 * Sends the members who can approve a newsletter an email, and returns how many get one. Throws
 * `not_found`, `newsletter_sent`, and `invalid_transition` for one without blocks and when they were asked
 * in the last ten minutes.
 */
export async function askForApproval(
  ctx: NotifyContext,
  {
    id,
    memberId,
    ...notification
  }: { id: string; memberId: string } & Pick<Notification, 'memberIds' | 'compose'>,
): Promise<number> {
  return await inTransaction(ctx, async (txCtx) => {
    const { title } = await lockEditableNewsletter(txCtx, { id, expected: null })
    const blocks = await selectNewsletterBlocks(txCtx.sql, ctx.actor.teamId, id)
    if (blocks.length === 0) {
      throw new AppError('invalid_transition', 'Add a block before you ask for approval.')
    }
    const at = txCtx.now()
    const since = new Date(at.getTime() - requestPauseMs)
    const request = { memberId, at, since }
    if (!(await updateApprovalRequested(txCtx.sql, ctx.actor.teamId, id, request))) {
      throw new AppError(
        'invalid_transition',
        'Others were asked to approve it a few minutes ago. Ask again in ten minutes.',
      )
    }
    const asked = await notifyMembers(txCtx, { kind: 'reminders', ...notification })
    await recordAudit(txCtx, 'approval_requested', title)
    return asked
  })
}
