import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { inTransaction, type ServiceContext, systemContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { type Encryption, encryptedColumn } from '../../lib/encryption.ts'
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

/** The part of an email that is encrypted. */
const Content = v.object({
  recipient: v.string(),
  subject: v.string(),
  html: v.string(),
  text: v.string(),
})

/** The row that an encrypted email belongs to. The table had this name when the first ones were encrypted. */
const emailEncryptionContext = (id: string) => `account_mails/${id}`

/** The encrypted part of emails, for the rotation of the secret. */
export const encryptedEmailColumn = encryptedColumn(
  'account_emails',
  'encrypted',
  emailEncryptionContext,
)

/**
 * Queues an email with a link for one person, so that neither an unavailable mail server nor the end of
 * the process loses it. It is encrypted, since its link gives access to an account, and retried until
 * `expiresAt`, when the link ends.
 */
export async function queueAccountEmail(
  { sql, now, encryption }: ServiceContext & { encryption: Encryption },
  { mail, expiresAt }: { mail: OutgoingMail; expiresAt: Date },
): Promise<void> {
  const { id, teamId, ...content } = mail
  const encrypted = encryption.encrypt(emailEncryptionContext(id), v.parse(Content, content))
  const times = { at: now(), expiresAt }
  await withDeadline(insertEncryptedEmail(sql, { id, team_id: teamId, encrypted }, times))
}

/**
 * Invitations and links for a new password, for the mailer. A row is deleted when its email is sent, or
 * when a mail server refuses it permanently; then the team's audit log has an entry for an invitation.
 */
export function accountEmailQueue(
  sql: Sql,
  encryption: Encryption,
  log: Logger,
  now: Now,
): MailQueue {
  const open = async (row: EncryptedEmailRow): Promise<QueuedMail[]> => {
    const known = { id: row.id, teamId: row.team_id, attempts: row.attempts }
    try {
      return [
        {
          ...known,
          ...v.parse(Content, encryption.decrypt(emailEncryptionContext(row.id), row.encrypted)),
        },
      ]
    } catch (error) {
      log.error(
        { err: error, mailId: row.id },
        'a queued email cannot be decrypted, and is deleted',
      )
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
      await inTransaction({ sql, now }, async (within) => {
        await deleteEncryptedEmail(within.sql, mail)
        if (mail.teamId === null) return
        await recordAudit(systemContext(within, mail.teamId), 'invitation_failed', mail.recipient)
      })
    },
  }
}

/** Deletes emails that could not be sent while their links worked. */
export async function purgeExpiredEmails(sql: Sql, now: Now): Promise<void> {
  await withDeadline(deleteExpiredEmails(sql, now()))
}
