import { type Sql, withDeadline } from '../../lib/db.ts'
import type { MailQueue } from '../../lib/mailer.ts'
import { claimMails, updateFailedMail, updateSentMail } from './sql.ts'

/** The queued previews, for the mailer. */
export function previewEmailQueue(sql: Sql): MailQueue {
  return {
    claim: (at, abandonedAt, limit) => withDeadline(claimMails(sql, at, abandonedAt, limit)),
    noteSent: (mail, at) => withDeadline(updateSentMail(sql, mail, at)),
    noteFailed: (mail, reason, dueAt) => withDeadline(updateFailedMail(sql, mail, reason, dueAt)),
  }
}
