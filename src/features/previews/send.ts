import type { PreviewReceipt, PreviewRequest } from '../../contract/preview.ts'
import { type Now, utcDay } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { type Caller, creatorOfKey } from '../api-keys/index.ts'
import { findMember, findMembersByEmail, listAdmins, type Member } from '../members/index.ts'
import { previewNewsletter } from '../newsletters/index.ts'
import { deletePreviews, insertMails, insertPreview, reserveMails, selectCounted } from './sql.ts'

/** Preview mails a team may send a day (UTC). */
export const emailsPerDay = 100
const dayMs = 24 * 60 * 60 * 1000
const keptDays = 30

/** Who sends a preview: a program with its key, or a member of the team. */
type PreviewSender =
  | Pick<Caller, 'teamId' | 'keyId'>
  | { teamId: string; memberId: string; keyId?: undefined }

/**
 * Queues a newsletter as it looks now for members of the team, in the caller's transaction: with it,
 * all mails are queued or none. Without recipients it goes to the member who sends it, or to whoever
 * stands behind the key. Throws `not_found`, `validation_failed` that names whoever is not a
 * member, `preview_limit_reached`.
 */
export async function sendPreview(
  tx: Tx,
  now: Now,
  sender: PreviewSender,
  newsletterId: string,
  { recipients, note }: PreviewRequest,
): Promise<PreviewReceipt> {
  const at = now()
  const { teamId } = sender
  const preview = await previewNewsletter(tx, teamId, newsletterId, at)
  const addresses = recipients
    ? await memberAddresses(tx, teamId, recipients)
    : await defaultAddresses(tx, sender)
  await reserve(tx, teamId, addresses.length, at)
  await deletePreviews(tx, teamId, new Date(at.getTime() - keptDays * dayMs))
  const row = {
    id: newId('pv', at),
    team_id: teamId,
    newsletter_id: newsletterId,
    api_key_id: sender.keyId ?? null,
    member_id: sender.keyId === undefined ? sender.memberId : null,
    subject: `[Preview] ${preview.subject}`,
    html: note === undefined ? preview.html : withNote(preview.html, note),
    text: note === undefined ? preview.text : `${note.trim()}\n\n-----\n\n${preview.text}`,
    queued_at: at,
  }
  await insertPreview(tx, row)
  const mails = addresses.map((recipient) => ({ id: newId('ml', at), recipient }))
  await insertMails(tx, row, mails)
  return { id: row.id, recipients: addresses, queued_at: at.toISOString() }
}

/** The members' addresses as they are stored: what was asked for only chooses among them. */
async function memberAddresses(
  tx: Tx,
  teamId: string,
  asked: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(asked)]
  const members = await findMembersByEmail(tx, teamId, wanted)
  const known = new Set(members.map(({ email }) => email))
  const strangers = wanted.filter((address) => !known.has(address))
  if (strangers.length > 0) {
    const names = strangers.join(', ')
    const are = strangers.length === 1 ? 'is not a member' : 'are not members'
    const message = `${names} ${are} of this team; nothing was sent to anyone`
    throw invalidField('/recipients', message, 'not_a_member')
  }
  return wanted.flatMap((address) => members.find(({ email }) => email === address)?.email ?? [])
}

async function defaultAddresses(tx: Tx, sender: PreviewSender): Promise<string[]> {
  const people = await defaultMembers(tx, sender)
  if (people.length > 0) return people.map(({ email }) => email)
  const message = 'recipients is required: nobody stands behind this key, and the team has no admin'
  throw invalidField('/recipients', message, 'required')
}

/** The member who sends; the person who made the key; for a key of the command line, the admins. */
async function defaultMembers(tx: Tx, sender: PreviewSender): Promise<Member[]> {
  const { teamId, keyId } = sender
  const id = keyId === undefined ? sender.memberId : await creatorOfKey(tx, teamId, keyId)
  const member = id === null ? undefined : await findMember(tx, teamId, id)
  if (member) return [member]
  return keyId === undefined ? [] : await listAdmins(tx, teamId)
}

async function reserve(tx: Tx, teamId: string, mails: number, at: Date): Promise<void> {
  const day = utcDay(at)
  if (await reserveMails(tx, teamId, day, mails, emailsPerDay)) return
  const left = emailsPerDay - (await selectCounted(tx, teamId, day))
  throw new AppError(
    'preview_limit_reached',
    `A team may send ${emailsPerDay} preview mails a day (UTC), and ${left} are left today. Nothing was sent.`,
    { retryAfterSeconds: Math.ceil((dayMs - (at.getTime() % dayMs)) / 1000) },
  )
}

const noteStyle = [
  'margin:0 auto;max-width:600px;padding:14px 18px;border-bottom:1px solid #d5d9de',
  'background-color:#fff8d6;color:#1f2328;font:15px/1.5 Arial,Helvetica,sans-serif',
].join(';')

/** A page with a note on top, where every reader sees it first. */
function withNote(html: string, note: string): string {
  const words = Bun.escapeHTML(note.trim()).replaceAll('\n', '<br />')
  const box = `<div dir="auto" style="${noteStyle}">${words}</div>`
  return html.replace(/<body[^>]*>/i, (body) => body + box)
}
