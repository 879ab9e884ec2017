import type { Logger } from 'pino'
import * as v from 'valibot'
import { daysBefore } from '../../lib/clock.ts'
import { inTransaction, type ServiceContext, systemContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { untilStored } from '../../lib/database/until-stored.ts'
import { EmailJobData, emailRetries, sendEmail } from '../../lib/mail/email-job.ts'
import type { MailTransport, OutgoingMail } from '../../lib/mail/mail.ts'
import { FinalError, type Job, type JobQueue, type JobType } from '../../lib/queue/index.ts'
import { type Encryption, encryptedColumn } from '../../lib/secrets/encryption.ts'
import { recordAudit } from '../audit-log/index.ts'
import { changeEmailDays } from './changes.ts'
import {
  deleteChangesBefore,
  deleteEncryptedEmail,
  deleteExpiredEmails,
  type EncryptedEmailRow,
  insertEncryptedEmail,
  selectEncryptedEmail,
} from './sql.ts'

/** Sends one email about an account. */
export const accountEmailJob: JobType = { name: 'send-account-email', ...emailRetries }

/** The encrypted part of an email; the rest is what finds its row. */
const Content = v.object({
  recipient: v.string(),
  subject: v.string(),
  html: v.string(),
  text: v.string(),
})

/**
 * The row that an encrypted email belongs to. The name is that of the table when the first emails
 * were encrypted.
 */
const encryptionContext = (id: string) => `account_mails/${id}`

/** The encrypted part of emails, for the rotation of the secret. */
export const encryptedEmailColumn = encryptedColumn(
  'account_emails',
  'encrypted',
  encryptionContext,
)

/** What encrypts the emails that wait. */
export interface EmailContext extends ServiceContext {
  encryption: Encryption
}

/**
 * Stores an email for one person and the job that sends it, in one transaction. The email is
 * encrypted, because anybody with a link in it can sign in. It is sent until `expiresAt`, when the
 * link expires.
 */
export async function queueAccountEmail(
  ctx: EmailContext & { queue: JobQueue },
  { mail, expiresAt }: { mail: OutgoingMail; expiresAt: Date },
): Promise<void> {
  const { id, teamId, ...content } = mail
  const encrypted = ctx.encryption.encrypt(encryptionContext(id), v.parse(Content, content))
  const times = { at: ctx.now(), expiresAt }
  await inTransaction(ctx, async ({ sql: tx, queue }) => {
    await insertEncryptedEmail(tx, { id, team_id: teamId, encrypted }, times)
    await queue.add(tx, accountEmailJob, { teamId, emailId: id } satisfies EmailJobData)
  })
}

interface SendContext extends EmailContext {
  sql: Sql
  log: Logger
  mail: MailTransport
}

/**
 * Makes one attempt at an email. Does nothing when it was sent or its link has expired. It can be
 * sent twice only when the process dies, or the database is unavailable for ten minutes, between the mail
 * server's acceptance and the deletion of the row, or when the acceptance does not arrive; both emails then
 * have the same Message-ID. The final failure of an invitation is in the audit log of the team. Throws when a
 * later attempt can succeed, and `FinalError`.
 */
export async function sendAccountEmail(ctx: SendContext, job: Job): Promise<void> {
  const { sql, now, log } = ctx
  const { teamId, emailId } = v.parse(EmailJobData, job.data)
  const row = await withDeadline(selectEncryptedEmail(sql, teamId, emailId, now()))
  if (!row) return
  const email = decrypt(ctx, row)
  await sendEmail(ctx, job, email, async ({ isFinal }) => {
    if (!isFinal || teamId === null) return
    await recordAudit(systemContext({ sql, now }, teamId), 'invitation_failed', email.recipient)
  })
  await untilStored(() => deleteEncryptedEmail(sql, teamId, emailId))
  log.info({ emailId, teamId }, 'email sent')
}

function decrypt({ encryption, log }: SendContext, { id, team_id, encrypted }: EncryptedEmailRow) {
  try {
    return {
      id,
      teamId: team_id,
      ...v.parse(Content, encryption.decrypt(encryptionContext(id), encrypted)),
    }
  } catch (error) {
    log.error({ err: error, emailId: id }, 'a queued email cannot be decrypted')
    throw new FinalError(
      'The email cannot be decrypted: the secret of the installation was replaced.',
    )
  }
}

/** Deletes emails that could not be sent while their links worked, and changes of accounts that became no email. */
export async function purgeExpiredEmails({ sql, now }: ServiceContext): Promise<void> {
  await deleteExpiredEmails(sql, now())
  await deleteChangesBefore(sql, daysBefore(now(), changeEmailDays))
}
