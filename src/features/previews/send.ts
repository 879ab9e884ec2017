import type { PreviewReceipt, PreviewRequest } from '../../contract/newsletters/preview.ts'
import { dayMs, daysBefore, utcDay } from '../../lib/clock.ts'
import {
  inTransaction,
  type LinkContext,
  type ReadContext,
  type TxContext,
} from '../../lib/context.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { EmailJobData } from '../../lib/mail/email-job.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { findKeyCreator } from '../api-keys/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { findMember, findMembersByEmail, listAdmins, type Member } from '../members/index.ts'
import { previewNewsletter } from '../newsletters/index.ts'
import { previewEmailJob } from './email-job.ts'
import { retentionDays } from './purge.ts'
import {
  deletePreviews,
  insertEmails,
  insertPreview,
  type PreviewRow,
  reserveMails,
  selectCounted,
} from './sql.ts'

/** How many preview emails a team may send per day (UTC). */
export const emailsPerDay = 100

interface PreviewContext extends LinkContext {
  queue: JobQueue
}

/**
 * Stores a newsletter as it is now and the jobs that send it to members of the team, in one
 * transaction. Without recipients it is sent to the member who sends it, or to the member who
 * created the key. Throws `not_found`, `validation_failed` with the addresses that belong to no
 * member, `preview_limit_reached`.
 */
export async function sendPreview(
  ctx: PreviewContext,
  { newsletterId, recipients, note }: PreviewRequest & { newsletterId: string },
): Promise<PreviewReceipt> {
  const { actor } = ctx
  const { teamId } = actor
  return await inTransaction(ctx, async (txCtx) => {
    const { sql, now } = txCtx
    const at = now()
    const preview = await previewNewsletter(txCtx, { id: newsletterId })
    const addresses = recipients
      ? await requireMemberAddresses(txCtx, recipients)
      : await defaultAddresses(txCtx)
    await requireQuota(txCtx, addresses.length)
    await deletePreviews(sql, teamId, daysBefore(at, retentionDays))
    const row = {
      id: newId('pv', at),
      team_id: teamId,
      newsletter_id: newsletterId,
      api_key_id: actor.kind === 'key' ? actor.keyId : null,
      member_id: actor.kind === 'member' ? actor.memberId : null,
      subject: `[Preview] ${preview.subject}`,
      html: !note ? preview.html : withNote(preview.html, note),
      text: !note ? preview.text : `${note.trim()}\n\n-----\n\n${preview.text}`,
      queued_at: at,
    }
    await insertPreview(sql, row)
    await queueEmails(txCtx, row, addresses)
    const people = addresses.length === 1 ? '1 recipient' : `${addresses.length} recipients`
    await recordAudit(txCtx, 'preview_sent', `${preview.subject} (${people})`)
    return { id: row.id, recipients: addresses, queued_at: at.toISOString() }
  })
}

/** Stores an email and a job for each address. */
async function queueEmails(
  { sql, queue }: TxContext<PreviewContext>,
  preview: PreviewRow,
  addresses: readonly string[],
): Promise<void> {
  const { team_id: teamId, queued_at: at } = preview
  const emails = addresses.map((recipient) => ({ id: newId('ml', at), recipient }))
  await insertEmails(sql, preview, emails)
  const jobs = emails.map(({ id }) => ({ data: { teamId, emailId: id } satisfies EmailJobData }))
  await queue.addAll(sql, previewEmailJob, jobs)
}

/**
 * The stored addresses of the members; the addresses in the request only select members. Throws
 * `validation_failed` with the addresses that belong to no member.
 */
export async function requireMemberAddresses(
  ctx: ReadContext,
  asked: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(asked)]
  const members = await findMembersByEmail(ctx, wanted)
  const known = new Set(members.map(({ email }) => email))
  const others = wanted.filter((address) => !known.has(address))
  if (others.length > 0) {
    const names = others.join(', ')
    const are = others.length === 1 ? 'is not a member' : 'are not members'
    const message = `${names} ${are} of this team; nothing was sent to anyone`
    throw invalidField('/recipients', message, 'not_a_member')
  }
  return wanted.flatMap((address) => members.find(({ email }) => email === address)?.email ?? [])
}

async function defaultAddresses(ctx: TxContext): Promise<string[]> {
  const people = await defaultMembers(ctx)
  if (people.length > 0) return people.map(({ email }) => email)
  const message = 'recipients is required: no member created this key, and the team has no admin'
  throw invalidField('/recipients', message, 'required')
}

/**
 * The member who sends; the member who created the key; for a key of the command line, the admins.
 */
async function defaultMembers(ctx: TxContext): Promise<Member[]> {
  const { actor } = ctx
  if (actor.kind === 'system') return await listAdmins(ctx)
  const id = actor.kind === 'member' ? actor.memberId : await findKeyCreator(ctx, actor.keyId)
  const member = id === null ? undefined : await findMember(ctx, id)
  if (member) return [member]
  return actor.kind === 'member' ? [] : await listAdmins(ctx)
}

async function requireQuota(
  { sql, now, actor: { teamId } }: TxContext,
  emails: number,
): Promise<void> {
  const at = now()
  const day = utcDay(at)
  if (await reserveMails(sql, teamId, { day, emails, limit: emailsPerDay })) return
  const left = emailsPerDay - (await selectCounted(sql, teamId, day))
  throw new AppError(
    'preview_limit_reached',
    `A team may send ${emailsPerDay} preview emails a day (UTC), and ${left} are left today. Nothing was sent.`,
    { retryAfterSeconds: Math.ceil((dayMs - (at.getTime() % dayMs)) / 1000) },
  )
}

const noteStyle = [
  'margin:0 auto;max-width:600px;padding:14px 18px;border-bottom:1px solid #d5d9de',
  'background-color:#fff8d6;color:#1f2328;font:15px/1.5 Arial,Helvetica,sans-serif',
].join(';')

/** A page with a note at its top. */
function withNote(html: string, note: string): string {
  const words = Bun.escapeHTML(note.trim()).replaceAll('\n', '<br />')
  const box = `<div dir="auto" style="${noteStyle}">${words}</div>`
  return html.replace(/<body[^>]*>/i, (body) => body + box)
}
