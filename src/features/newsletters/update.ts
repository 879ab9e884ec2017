import type { NewsletterChange } from '../../contract/newsletters/input.ts'
import type { Newsletter } from '../../contract/newsletters/newsletter.ts'
import { sameAddresses } from '../../contract/uri.ts'
import { inTransaction, type LinkContext, memberIdOf, type TxContext } from '../../lib/context.ts'
import { comparable, type ExpectedVersions, requireVersion } from '../../lib/versions.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  lockNewsletterBlocks,
  lockNewslettersOfSameBlocks,
  selectNewsletterBlocks,
} from './composition/blocks-sql.ts'
import { withCleanTexts } from './composition/rich-text.ts'
import { reloadNewsletter } from './get.ts'
import { saveVersion } from './history/save-version.ts'
import { requireLockedTemplate } from './rendering/previews/newsletter.ts'
import { requireApproval } from './sending/approval-check.ts'
import { sendNewsletter } from './sending/send.ts'
import {
  alreadySent,
  derivedStatus,
  missingNewsletter,
  requireTransition,
} from './sending/transitions.ts'
import { lockNewsletter, type NewsletterRow, updateNewsletterRow } from './sql.ts'

interface NewsletterUpdate {
  id: string
  change: NewsletterChange
  /** The versions that may be changed; null for any. */
  expected: ExpectedVersions
  /** The day (UTC) of the email that was sent, for a newsletter without a planned date; today if left out. */
  day?: string
}

/**
 * Changes a newsletter and returns it; a change without a difference keeps its version. When its
 * status becomes `sent`, it stores a snapshot and its blocks become used. Throws `not_found`,
 * `newsletter_sent`, `version_mismatch`, `invalid_transition`, also without a required approval,
 * `embargoed`, and `validation_failed`
 * for an unknown template.
 */
export async function updateNewsletter(
  ctx: LinkContext,
  { id, change, expected, day }: NewsletterUpdate,
): Promise<Newsletter> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    if (change.template_slug !== undefined) await requireLockedTemplate(txCtx, change.template_slug)
    const current = await lockForUpdate(txCtx, { id, change, expected })
    const blocks = await selectNewsletterBlocks(txCtx.sql, teamId, id)
    const at = txCtx.now()
    const next = {
      ...current,
      ...definedOf(withCleanTexts(change)),
      ...sameAddresses(current, change, ['cover_image_url']),
    }
    if (change.status !== undefined) requireTransition(current.status, next, blocks, at)
    const isOnlyStatus = !differs({ ...current, status: next.status }, next)
    await requireApproval(txCtx, {
      newsletter: current,
      isUnchanged: isOnlyStatus,
      to: change.status,
    })
    next.status = derivedStatus(next, blocks, at)
    if (!differs(current, next)) return await reloadNewsletter(txCtx, id)
    if (!isOnlyStatus) next.changed_by = memberIdOf(ctx) ?? current.changed_by
    await saveNewsletter(txCtx, { ...next, updated_at: at }, day)
    return await reloadNewsletter(txCtx, id)
  })
}

/** Locks a newsletter; before it is sent, also everything that changes with it, in the order of all transactions. */
async function lockForUpdate(
  ctx: TxContext,
  { id, change, expected }: NewsletterUpdate,
): Promise<NewsletterRow> {
  const { sql, actor } = ctx
  const isSending = change.status === 'sent'
  if (isSending) await lockNewslettersOfSameBlocks(sql, actor.teamId, id)
  const current = await lockEditableNewsletter(ctx, { id, expected })
  if (isSending) await lockNewsletterBlocks(sql, actor.teamId, id)
  return current
}

async function saveNewsletter(
  ctx: TxContext<LinkContext>,
  next: NewsletterRow,
  day: string | undefined,
): Promise<void> {
  if (next.status === 'sent') {
    await sendNewsletter(ctx, { newsletter: { ...next, sent_at: next.updated_at }, day })
    await recordAudit(ctx, 'newsletter_sent', next.title)
  } else {
    await updateNewsletterRow(ctx.sql, next)
    await recordAudit(ctx, 'newsletter_updated', next.title)
  }
  await saveVersion(ctx, next)
}

/**
 * Locks an unsent newsletter until the transaction ends, and returns it. Throws `not_found`,
 * `newsletter_sent`, `version_mismatch`.
 */
export async function lockEditableNewsletter(
  { sql, actor }: TxContext,
  { id, expected }: Omit<NewsletterUpdate, 'change'>,
): Promise<NewsletterRow> {
  const row = await lockNewsletter(sql, actor.teamId, id)
  if (!row) throw missingNewsletter()
  if (row.status === 'sent') throw alreadySent()
  requireVersion(expected, row.version)
  return row
}

/** A change without the fields that were left out. */
function definedOf(change: NewsletterChange): Partial<NewsletterRow> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

const editable = [
  ...(['title', 'subject_line', 'preheader_text', 'status'] as const),
  ...(['scheduled_date', 'template_slug', 'cover_image_url', 'cover_image_alt'] as const),
  ...([
    'cover_focal_x',
    'cover_focal_y',
    'cover_color',
    'intro',
    'closing',
    'table_of_contents',
  ] as const),
]

function differs(a: NewsletterRow, b: NewsletterRow): boolean {
  return editable.some((field) => comparable(a[field]) !== comparable(b[field]))
}
