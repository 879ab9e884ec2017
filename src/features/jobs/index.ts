import * as v from 'valibot'
import { daysBefore } from '../../lib/clock.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { toReason } from '../../lib/text/reason.ts'
import { recordAudit } from '../audit-log/index.ts'
import { countSettledSince } from '../deliveries/index.ts'
import { type QueueRow, selectFailedJob, selectFailedJobs, selectQueues } from './sql.ts'

/** The kinds of jobs, as people read them. */
const kinds = {
  deliveries: 'Deliveries of connections',
  'preview-emails': 'Preview emails',
  'newsletter-posts': 'Newsletters in chats',
  'chat-messages': 'Messages to people and channels in chats',
  'account-emails': 'Invitations and emails about accounts',
  cleanup: 'Cleanup',
  backup: 'Backup',
} as const
type JobKind = keyof typeof kinds

/** How many jobs of one kind are in each state. */
export interface JobStates extends Omit<QueueRow, 'queue' | 'oldest_at'> {
  label: string
  oldestAt: Date | null
}

/** A job that is not retried any more. */
export interface FailedJob {
  /** Queue and id, for {@link retryJob}. */
  reference: string
  label: string
  /** Why the last attempt failed; without addresses. */
  reason: string
  attempts: number
  failedAt: Date
}

/** More jobs of all teams in one state than this are not counted. */
const maxCountedJobs = 20_000
const maxListed = 50
function kindOf(queue: string): JobKind | null {
  if (queue === 'forward' || queue === 'give-up-delivery') return 'deliveries'
  if (queue === 'send-preview-email') return 'preview-emails'
  if (queue === 'post-newsletter') return 'newsletter-posts'
  if (queue.endsWith('-chat-message') || queue === 'notify-sender') return 'chat-messages'
  if (queue.endsWith('-account-email')) return 'account-emails'
  if (queue === 'backup') return 'backup'
  return queue.startsWith('purge-') ? 'cleanup' : null
}

const labelOf = (queue: string): string => kinds[kindOf(queue) ?? 'cleanup']

/** These queries run outside a transaction. */
type ListContext = Context & { sql: Sql }

/**
 * The states of the jobs of the team and of the installation, by kind. Counts are lower bounds while the
 * queue contains more than 20,000 jobs of all teams in one state. Jobs of deliveries are deleted an
 * hour after they end, so their results are counted in the deliveries of the team.
 */
export async function listJobStates({
  sql,
  now,
  actor,
}: Context & { sql: Sql }): Promise<JobStates[]> {
  const since = daysBefore(now(), 1)
  const [rows, settled] = await Promise.all([
    withDeadline(selectQueues(sql, actor.teamId, maxCountedJobs)),
    withDeadline(countSettledSince({ sql, actor }, since)),
  ])
  return Object.entries(kinds).map(([kind, label]) => {
    const states = rows
      .filter(({ queue }) => kindOf(queue) === kind)
      .reduce(addStates, { ...noJobs, label })
    return kind === 'deliveries' ? { ...states, ...settled } : states
  })
}

const noJobs = { waiting: 0, active: 0, retrying: 0, failed: 0, completed: 0, oldestAt: null }

const addStates = (sum: JobStates, row: QueueRow): JobStates => ({
  label: sum.label,
  waiting: sum.waiting + row.waiting,
  active: sum.active + row.active,
  retrying: sum.retrying + row.retrying,
  failed: sum.failed + row.failed,
  completed: sum.completed + row.completed,
  oldestAt: earlier(sum.oldestAt, row.oldest_at),
})

const earlier = (a: Date | null, b: Date | null) => (a === null || (b !== null && b < a) ? b : a)

/** The failed jobs of the team and of the installation, the newest first, at most 50. */
export async function listFailedJobs({ sql, actor }: ListContext): Promise<FailedJob[]> {
  const rows = await withDeadline(selectFailedJobs(sql, actor.teamId, maxListed))
  return rows.map(({ id, queue, reason, attempts, failed_at: failedAt }) => ({
    reference: `${queue}.${id}`,
    label: labelOf(queue),
    reason: toReason(reason ?? 'The process that ran it ended.'),
    attempts,
    failedAt,
  }))
}

const Reference = v.pipe(
  v.string(),
  v.regex(/^[a-z-]{1,50}\.[0-9a-f-]{36}$/),
  v.transform((reference) => {
    const [queue = '', id = ''] = reference.split('.')
    return { queue, id }
  }),
  v.object({ queue: v.string(), id: v.pipe(v.string(), v.uuid()) }),
)

/** Gives a failed job one more attempt. Throws `not_found`, also for a job of another team. */
export async function retryJob(
  ctx: Context & { queue: JobQueue },
  reference: string,
): Promise<{ label: string }> {
  const wanted = v.safeParse(Reference, reference)
  if (!wanted.success) throw notFound('The failed job')
  const { queue, id } = wanted.output
  return await inTransaction(ctx, async (txCtx) => {
    const job = await selectFailedJob(txCtx.sql, txCtx.actor.teamId, { queue, id })
    if (!job) throw notFound('The failed job')
    await txCtx.queue.retry(txCtx.sql, queue, id)
    await recordAudit(txCtx, 'job_retried', labelOf(queue))
    return { label: labelOf(queue) }
  })
}
