import type { Logger } from 'pino'
import { changeEmail } from '../console/index.ts'
import {
  accountEmailJob,
  changeEmailJob,
  composeChangeEmail,
  sendAccountEmail,
} from '../features/account-emails/index.ts'
import { notificationEmailJob, sendNotificationEmail } from '../features/notifications/index.ts'
import { previewEmailJob, sendPreviewEmail } from '../features/previews/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/database/db.ts'
import type { MailTransport } from '../lib/mail/mail.ts'
import type { JobQueue, JobType, Workers } from '../lib/queue/index.ts'
import type { Encryption } from '../lib/secrets/encryption.ts'

/** The job types of emails. */
export const emailJobs: readonly JobType[] = [
  previewEmailJob,
  accountEmailJob,
  changeEmailJob,
  notificationEmailJob,
]

interface EmailDeps {
  sql: Sql
  queue: JobQueue
  encryption: Encryption
  mail: MailTransport
  log: Logger
  now: Now
  /** How people reach the service, for links. */
  baseUrl: string
  /** Whether people can sign in with a password. */
  passwordSignIn: boolean
}

const sending = { concurrency: 3 }

/** Starts to send emails. Any number of processes can send on one database. */
export async function startEmails(deps: EmailDeps): Promise<Workers> {
  const { queue } = deps
  const composing = { ...deps, write: changeEmail(deps) }
  const workers = [
    await queue.work(previewEmailJob, sending, (job) => sendPreviewEmail(deps, job)),
    await queue.work(accountEmailJob, sending, (job) => sendAccountEmail(deps, job)),
    await queue.work(changeEmailJob, { concurrency: 1 }, (job) =>
      composeChangeEmail(composing, job),
    ),
    await queue.work(notificationEmailJob, sending, (job) => sendNotificationEmail(deps, job)),
  ]
  return { stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))) }
}
