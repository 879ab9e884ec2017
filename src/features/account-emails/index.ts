import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { systemContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import type { Encryption } from '../../lib/encryption.ts'
import type { OutgoingMail } from '../../lib/mail.ts'
import type { MailQueue, QueuedMail } from '../../lib/mailer.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  claimEncryptedEmails,
  deleteEncryptedEmail,
  deleteExpiredEmails,
  type EncryptedEmailRow,
  insertEncryptedEmail,
  postponeEncryptedEmail,
} from './sql.ts'

/** What is sealed of a mail; the rest a sender needs to find its row. */
const Content = v.object({
  recipient: v.string(),
  subject: v.string(),
  html: v.string(),
  text: v.string(),
})

const placeOf = (id: string) => `account_mails/${id}`

/**
 * Queues a mail with a link for one person, so that it survives a mail server that is away and a
 * process that ends. It is sealed, since with its link somebody gets in, and tried until `expiresAt`,
 * when the link ends.
 */
export async function queueAccountEmail(
  sql: Sql,
  vault: Encryption,
  now: Now,
  { id, teamId, recipient, subject, html, text }: OutgoingMail,
  expiresAt: Date,
): Promise<void> {
  const encrypted = vault.encrypt(placeOf(id), { recipient, subject, html, text })
  const times = { at: now(), expiresAt }
  await withDeadline(insertEncryptedEmail(sql, { id, team_id: teamId, encrypted }, times))
}

/**
 * Invitations and links for a new password, for the mailer. A row goes when its mail has left; of an
 * invitation that a mail server refuses for good, the team's audit log tells.
 */
export function accountEmailQueue(sql: Sql, vault: Encryption, log: Logger, now: Now): MailQueue {
  const open = async (row: EncryptedEmailRow): Promise<QueuedMail[]> => {
    const known = { id: row.id, teamId: row.team_id, attempts: row.attempts }
    try {
      return [{ ...known, ...v.parse(Content, vault.decrypt(placeOf(row.id), row.encrypted)) }]
    } catch (error) {
      log.error({ err: error, mailId: row.id }, 'a queued mail cannot be opened, and is dropped')
      await withDeadline(deleteEncryptedEmail(sql, known))
      return []
    }
  }
  return {
    async claim(at, abandonedAt, limit) {
      const rows = await withDeadline(claimEncryptedEmails(sql, at, abandonedAt, limit))
      return (await Promise.all(rows.map(open))).flat()
    },
    noteSent: (mail) => withDeadline(deleteEncryptedEmail(sql, mail)),
    async noteFailed(mail, _reason, dueAt) {
      if (dueAt) return await withDeadline(postponeEncryptedEmail(sql, mail, dueAt))
      await withDeadline(deleteEncryptedEmail(sql, mail))
      if (mail.teamId === null) return
      await recordAudit(
        systemContext({ sql, now }, mail.teamId),
        'invitation_failed',
        mail.recipient,
      )
    },
  }
}

/** Forgets mails that could not be sent while their links worked. */
export async function purgeExpiredEmails(sql: Sql, now: Now): Promise<void> {
  await withDeadline(deleteExpiredEmails(sql, now()))
}
