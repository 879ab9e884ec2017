import type { Logger } from 'pino'
import * as v from 'valibot'
import { daysBefore } from '../../lib/clock.ts'
import type { Context, ServiceContext, TxContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { untilStored } from '../../lib/database/until-stored.ts'
import { newId } from '../../lib/ids.ts'
import { EmailJobData, emailRetries, sendEmail } from '../../lib/mail/email-job.ts'
import type { MailTransport } from '../../lib/mail/mail.ts'
import type { Job, JobQueue, JobType } from '../../lib/queue/index.ts'
import {
  deleteNotificationEmail,
  deleteNotificationEmailsBefore,
  insertNotificationEmails,
  type NotificationKind,
  type Recipient,
  selectNotificationEmail,
  selectRecipients,
} from './sql.ts'

export type { Recipient }

/** Sends one email about something that concerns a member. */
export const notificationEmailJob: JobType = { name: 'send-notification-email', ...emailRetries }

/** A context that adds jobs to the queue. */
export type NotifyContext = Context & { queue: JobQueue }

/** The texts of an email. */
export interface EmailText {
  subject: string
  html: string
  text: string
}

export interface Notification {
  kind: NotificationKind
  memberIds: readonly string[]
  /** Writes the email in the language of the recipient. */
  compose(recipient: Recipient): EmailText
}

/** A team of thousands must not need a statement for each of its editors within one transaction. */
const emailsPerSlice = 500

/**
 * Stores an email to each of these members who wants notifications of the kind, and the jobs that send
 * them, in the transaction of the change that they are about. Returns how many emails there are.
 */
export async function notifyMembers(
  { sql, now, actor, queue }: TxContext<NotifyContext>,
  { kind, memberIds, compose }: Notification,
): Promise<number> {
  const { teamId } = actor
  if (memberIds.length === 0) return 0
  const recipients = await selectRecipients(sql, teamId, memberIds, kind)
  for (let from = 0; from < recipients.length; from += emailsPerSlice) {
    const at = now()
    const emails = recipients
      .slice(from, from + emailsPerSlice)
      .map((recipient) => ({ id: newId('ml', at), memberId: recipient.id, ...compose(recipient) }))
    await insertNotificationEmails(sql, teamId, emails, at)
    const jobs = emails.map(({ id }) => ({ data: { teamId, emailId: id } satisfies EmailJobData }))
    await queue.addAll(sql, notificationEmailJob, jobs)
  }
  return recipients.length
}

interface SendContext extends ServiceContext {
  sql: Sql
  log: Logger
  mail: MailTransport
}

const JobData = v.object({ ...EmailJobData.entries, teamId: v.string() })

/**
 * Makes one attempt at an email. Does nothing when it was sent or the member was removed. It can be sent
 * twice only when the process dies, or the database is unavailable for ten minutes, between the mail server's
 * acceptance and the deletion of the row, or when the acceptance does not arrive; both emails then have the
 * same Message-ID. Throws when a later attempt can succeed, and `FinalError`.
 */
export async function sendNotificationEmail(ctx: SendContext, job: Job): Promise<void> {
  const { sql, log } = ctx
  const { teamId, emailId } = v.parse(JobData, job.data)
  const email = await withDeadline(selectNotificationEmail(sql, teamId, emailId))
  if (!email) return
  await sendEmail(ctx, job, { id: emailId, teamId, ...email })
  await untilStored(() => deleteNotificationEmail(sql, teamId, emailId))
  log.info({ emailId, teamId }, 'email sent')
}

const retentionDays = 30

/** Deletes the emails of all teams that could not be sent within 30 days. */
export async function purgeNotificationEmails({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteNotificationEmailsBefore(sql, before)
}
