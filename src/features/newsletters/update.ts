import type { Newsletter } from '../../contract/newsletter.ts'
import type { NewsletterChange } from '../../contract/newsletter-input.ts'
import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { type ExpectedVersions, requireVersion } from '../../lib/versions.ts'
import { lockNewsletterBlocks, selectNewsletterBlocks } from './blocks-sql.ts'
import { reloadNewsletter, toNewsletter } from './get.ts'
import { requireTemplate } from './preview.ts'
import { send } from './send.ts'
import { lockNewsletter, type NewsletterRow, updateNewsletterRow } from './sql.ts'
import { alreadySent, derivedStatus, missingNewsletter, requireTransition } from './transitions.ts'

/**
 * Changes a newsletter; a change of nothing keeps its version. Made `sent`, it keeps what was sent
 * and its blocks become used. Throws `not_found`, `newsletter_sent`, `version_mismatch`,
 * `invalid_transition`, `embargoed`, and `validation_failed` for an unknown template.
 */
export async function updateNewsletter(
  tx: Tx,
  now: Now,
  teamId: string,
  id: string,
  change: NewsletterChange,
  expected: ExpectedVersions,
): Promise<Newsletter> {
  const current = await lockEditableNewsletter(tx, teamId, id, expected)
  if (change.template_slug !== undefined) await requireTemplate(tx, teamId, change.template_slug)
  if (change.status === 'sent') await lockNewsletterBlocks(tx, teamId, id)
  const places = await selectNewsletterBlocks(tx, teamId, id)
  const at = now()
  const next = { ...current, ...definedOf(change) }
  if (change.status !== undefined) requireTransition(current.status, next, places, at)
  next.status = derivedStatus(next, places, at)
  if (!differs(current, next)) return toNewsletter(current, places)
  const stored = { ...next, updated_at: at }
  if (next.status === 'sent') await send(tx, { ...stored, sent_at: at })
  else await updateNewsletterRow(tx, stored)
  return await reloadNewsletter(tx, teamId, id)
}

/**
 * A newsletter that may still be changed, held until the transaction ends. Throws `not_found`,
 * `newsletter_sent`, `version_mismatch`.
 */
export async function lockEditableNewsletter(
  tx: Tx,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<NewsletterRow> {
  const row = await lockNewsletter(tx, teamId, id)
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
  ...(['scheduled_date', 'template_slug'] as const),
]

function differs(a: NewsletterRow, b: NewsletterRow): boolean {
  return editable.some((field) => a[field] !== b[field])
}
