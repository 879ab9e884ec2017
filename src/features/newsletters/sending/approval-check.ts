import { createHash } from 'node:crypto'
import type { NewsletterStatus } from '../../../contract/vocabulary.ts'
import type { LinkContext, TxContext } from '../../../lib/context.ts'
import { AppError } from '../../../lib/errors.ts'
import { renderForSending } from '../rendering/previews/newsletter.ts'
import type { NewsletterRow } from '../sql.ts'
import { selectApproval } from './approval-sql.ts'
import { transitions } from './transitions.ts'

const notApproved = 'a second person has not approved it as it is'
const looksDifferent =
  'it looks different from what was approved, because its template, the brand or an image changed; set it back to in_progress and have it approved again'

interface StatusChange {
  newsletter: NewsletterRow
  /** Nothing else of the newsletter changes. */
  isUnchanged: boolean
  to: NewsletterStatus | undefined
}

/**
 * Throws `invalid_transition` when the team requires an approval and the newsletter has none for its
 * content: an approval ends with every change. What is sent must also look as it did when it was approved.
 */
export async function requireApproval(
  ctx: TxContext<LinkContext>,
  { newsletter, isUnchanged, to }: StatusChange,
): Promise<void> {
  const { status, approved_by } = newsletter
  if ((to !== 'ready' && to !== 'sent') || status === to) return
  const approval = await selectApproval(ctx.sql, newsletter.team_id, newsletter.id)
  if (!approval?.required) return
  if (approved_by === null || !isUnchanged) throw refused(status, to, notApproved)
  if (to === 'sent' && !(await isApprovedContent(ctx, newsletter))) {
    throw refused(status, to, looksDifferent)
  }
}

const refused = (from: NewsletterStatus, to: NewsletterStatus, reason: string) =>
  new AppError('invalid_transition', `The newsletter cannot become ${to}: ${reason}.`, {
    extra: { from, to, allowed: transitions[from].filter((one) => one !== to), missing: [reason] },
  })

/** Whether readers would get the email that was approved; false without an approval. */
export async function isApprovedContent(
  ctx: TxContext<LinkContext>,
  newsletter: NewsletterRow,
): Promise<boolean> {
  const approval = await selectApproval(ctx.sql, newsletter.team_id, newsletter.id)
  if (!approval?.approved_at) return false
  const hash = await hashEmail(ctx, { newsletter, at: approval.approved_at })
  return approval.approved_hash === hash
}

/** A hash of the email that readers would get. Without a planned date, the email has the date of `at`. */
export async function hashEmail(
  ctx: LinkContext,
  { newsletter, at }: { newsletter: NewsletterRow; at: Date },
): Promise<string> {
  const { html, text } = await renderForSending({ ...ctx, now: () => at }, { newsletter })
  return createHash('sha256').update(html).update('\0').update(text).digest('base64url')
}
