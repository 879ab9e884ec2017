import { daysBefore } from '../../lib/clock.ts'
import type { ReadContext, ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'
import { notFound } from '../../lib/errors.ts'

/** An email that was stored instead of sent, because no mail server is configured. */
export interface CapturedEmail {
  id: string
  recipient: string
  subject: string
  created_at: Date
}

const listed = 200

/** The newest 200 captured emails of a team, newest first. */
export async function listCapturedEmails({
  sql,
  actor: { teamId },
}: ReadContext): Promise<CapturedEmail[]> {
  return await withDeadline(sql<CapturedEmail[]>`
    select id, recipient, subject, created_at from captured_emails
    where team_id = ${teamId} order by id desc limit ${listed}`)
}

/** One captured email of a team with its HTML and its text. Throws `not_found`. */
export async function getCapturedEmail(
  { sql, actor: { teamId } }: ReadContext,
  id: string,
): Promise<CapturedEmail & { html: string; text: string }> {
  const [email] = await withDeadline(sql<(CapturedEmail & { html: string; text: string })[]>`
    select id, recipient, subject, html, text, created_at from captured_emails
    where team_id = ${teamId} and id = ${id}`)
  if (!email) throw notFound('This email')
  return email
}

const retentionDays = 30

/** Deletes captured emails after 30 days. */
export async function purgeCapturedEmails({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteInSlices(sql, 'captured_emails', sql`created_at < ${before}`)
}
