import * as v from 'valibot'
import type { Context, ServiceContext, TxContext } from '../../lib/context.ts'
import { newId } from '../../lib/ids.ts'
import { emailRetries } from '../../lib/mail/email-job.ts'
import type { JobQueue, JobType } from '../../lib/queue/index.ts'
import { type AccountContext, recordAccountAudit } from '../accounts/index.ts'
import { recordAudit } from '../audit-log/index.ts'
import { type AccountChange, type ChangeRow, insertChange } from './sql.ts'

/** How long the email about a change is attempted, in days. */
export const changeEmailDays = 30

/** Stores the email about the changes of one account. */
export const changeEmailJob: JobType = { name: 'compose-account-email', ...emailRetries }

/** The data of a job that stores the email about the changes of one account. */
export const ChangeJobData = v.object({ accountId: v.string() })

/** What queues emails about changes of accounts: the queue, or null when no mail server is set. */
export interface ChangeEmails {
  emailQueue: JobQueue | null
}

/**
 * Writes a change that a person has made of their account to the audit logs of all their teams, and queues the email
 * about it. `detail` names the passkey or the identity provider. Call it in the transaction of the change.
 */
export async function recordAccountChange(
  ctx: TxContext<AccountContext & ChangeEmails>,
  { change, detail = null }: { change: AccountChange; detail?: string | null },
): Promise<void> {
  const { accountId, address } = ctx
  await recordAccountAudit(ctx, change, detail)
  await queueAccountChange(ctx, { accountId, change, detail, address })
}

/**
 * Writes a change that an admin or an operator has made of somebody's account to the audit log of the actor's team, and
 * queues the email about it. `subject` names the person. Call it in the transaction of the change.
 */
export async function recordChangeByAdmin(
  ctx: TxContext<Context & ChangeEmails>,
  { change, accountId, subject }: { change: AccountChange; accountId: string; subject: string },
): Promise<void> {
  const { actor } = ctx
  await recordAudit(ctx, change, subject)
  const detail = actor.kind === 'member' ? actor.name : null
  await queueAccountChange(ctx, { accountId, change, detail, address: null })
}

/** A change of an account; `detail` and `address` are those of {@link ChangeRow}. */
interface NewChange extends Pick<ChangeRow, 'change' | 'detail' | 'address'> {
  accountId: string
}

/** Queues the email about a change that is in the audit log. Call it in the transaction of the change. */
export async function queueAccountChange(
  { sql, now, emailQueue }: TxContext<ServiceContext & ChangeEmails>,
  { accountId, ...change }: NewChange,
): Promise<void> {
  if (!emailQueue) return
  const at = now()
  await insertChange(sql, { id: newId('cg', at), account_id: accountId, ...change, created_at: at })
  const data: v.InferOutput<typeof ChangeJobData> = { accountId }
  await emailQueue.add(sql, changeEmailJob, data)
}
