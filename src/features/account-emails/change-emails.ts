import * as v from 'valibot'
import { daysBefore } from '../../lib/clock.ts'
import { inTransaction, type TxContext } from '../../lib/context.ts'
import type { Sql } from '../../lib/database/db.ts'
import { newId } from '../../lib/ids.ts'
import type { OutgoingMail } from '../../lib/mail/mail.ts'
import type { Job, JobQueue } from '../../lib/queue/index.ts'
import { type Account, findAccountById } from '../accounts/index.ts'
import { consumeChangeEmail } from '../login-throttle/index.ts'
import { listMemberships, type Membership } from '../members/index.ts'
import { ChangeJobData, changeEmailDays, changeEmailJob } from './changes.ts'
import { type EmailContext, queueAccountEmail } from './emails.ts'
import { type ChangeRow, deleteChanges, lockChanges } from './sql.ts'

/** At least one change of an account, the first one first. */
type Changes = readonly [ChangeRow, ...ChangeRow[]]

/** The person of an account that was changed. */
interface ChangedAccount {
  email: string
  /** A membership of the person, which has their language and time zone; undefined without a team. */
  membership: Membership | undefined
}

/** Writes the email about changes of an account, in the language of its person. */
export type WriteChangeEmail = (
  account: ChangedAccount,
  changes: Changes,
) => Pick<OutgoingMail, 'subject' | 'html' | 'text'>

interface ComposeContext extends EmailContext {
  sql: Sql
  queue: JobQueue
  write: WriteChangeEmail
}

/**
 * Stores one email about all changes of an account that its person has no email about yet, and the job that sends it,
 * in the transaction that deletes these changes. Waits, and collects further changes, while the person gets too many.
 */
export async function composeChangeEmail(ctx: ComposeContext, job: Job): Promise<void> {
  const { accountId } = v.parse(ChangeJobData, job.data)
  await inTransaction(ctx, async (txCtx) => {
    const { sql, now, queue } = txCtx
    const [first, ...later] = await lockChanges(sql, accountId)
    const account = await findAccountById({ sql }, accountId)
    if (!first || !account) return
    const waitMs = await consumeChangeEmail({ sql, now }, accountId)
    if (waitMs > 0) {
      const at = new Date(now().getTime() + waitMs)
      return await queue.addAt(sql, changeEmailJob, { accountId }, { at })
    }
    await queueEmail(txCtx, account, [first, ...later])
    const ids = [first, ...later].map(({ id }) => id)
    await deleteChanges(sql, ids)
  })
}

async function queueEmail(
  ctx: TxContext<ComposeContext>,
  { id: accountId, email }: Account,
  changes: Changes,
): Promise<void> {
  const { sql, now, write } = ctx
  const [membership] = await listMemberships(sql, accountId)
  const at = now()
  const mail = {
    id: newId('ml', at),
    teamId: null,
    recipient: email,
    ...write({ email, membership }, changes),
  }
  await queueAccountEmail(ctx, { mail, expiresAt: daysBefore(at, -changeEmailDays) })
}
