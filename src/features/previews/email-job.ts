import type { Logger } from 'pino'
import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { sendStoredChange } from '../../lib/database/changes.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { untilStored } from '../../lib/database/until-stored.ts'
import { EmailJobData, emailRetries, sendEmail } from '../../lib/mail/email-job.ts'
import type { MailTransport } from '../../lib/mail/mail.ts'
import type { Job, JobType } from '../../lib/queue/index.ts'
import { selectUnsentEmail, updateFailedEmail, updateSentEmail } from './sql.ts'

/** Sends one email of a preview. */
export const previewEmailJob: JobType = { name: 'send-preview-email', ...emailRetries }

interface PreviewEmailDeps {
  sql: Sql
  now: Now
  log: Logger
  mail: MailTransport
}

const JobData = v.object({ ...EmailJobData.entries, teamId: v.string() })

/**
 * Makes one attempt at an email. Does nothing when it was sent or its recipient was removed. It can be sent twice
 * only when the process dies, or the database is unavailable for ten minutes, between the mail server's acceptance
 * and the update of the row, or when the acceptance does not arrive; both emails then have the same Message-ID.
 * Throws when a later attempt can succeed, and `FinalError`.
 */
export async function sendPreviewEmail(deps: PreviewEmailDeps, job: Job): Promise<void> {
  const { sql, now, log } = deps
  const { teamId, emailId } = v.parse(JobData, job.data)
  const email = await withDeadline(selectUnsentEmail(sql, teamId, emailId))
  if (!email) return
  const { newsletter, hasFailed } = email
  // The open pages of the newsletter show what could not be delivered.
  const sendToPages = () => sendStoredChange(sql, { topic: 'posts', team: teamId, newsletter })
  await sendEmail(deps, job, email, async (failure) => {
    if (await withDeadline(updateFailedEmail(sql, teamId, emailId, failure))) await sendToPages()
  })
  const sentAt = now()
  await untilStored(() => updateSentEmail(sql, teamId, emailId, sentAt))
  if (hasFailed) await sendToPages()
  log.info({ emailId, teamId }, 'email sent')
}
