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
  polls: 'Checks for news at sources',
  connections: 'Registrations and tokens of connections',
  'chat-messages': 'Messages to people and channels in chats',
  'chat-homes': 'Home pages in chats',
  'newsletter-posts': 'Newsletters in chats',
  schedules: 'Scheduled newsletters and digests',
  'preview-emails': 'Preview emails',
  'notification-emails': 'Emails about mentions, assignments and reminders',
  'account-emails': 'Invitations and emails about accounts',
  backup: 'Backup',
  cleanup: 'Cleanup',
  other: 'Other jobs',
} as const
type JobKind = keyof typeof kinds
const jobKinds = Object.keys(kinds) as JobKind[]

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

/** The kind of each queue but those of the cleanup, whose names begin with `purge-`. */
const kindsOfQueues = new Map<string, JobKind>([
  ['forward', 'deliveries'],
  ['give-up-delivery', 'deliveries'],
  ['plan-polls', 'polls'],
  ['poll-source', 'polls'],
  ['register-connections', 'connections'],
  ['refresh-app-tokens', 'connections'],
  ['revoke-app-tokens', 'connections'],
  ['plan-chat-messages', 'chat-messages'],
  ['send-chat-message', 'chat-messages'],
  ['update-chat-message', 'chat-messages'],
  ['notify-sender', 'chat-messages'],
  ['publish-chat-home', 'chat-homes'],
  ['post-newsletter', 'newsletter-posts'],
  ['newsletter-schedules', 'schedules'],
  ['draft-digests', 'schedules'],
  ['send-preview-email', 'preview-emails'],
  ['send-notification-email', 'notification-emails'],
  ['compose-account-email', 'account-emails'],
  ['send-account-email', 'account-emails'],
  ['backup', 'backup'],
])

/** A queue of another version, whose process still runs, is of the kind `other`. */
const kindOf = (queue: string): JobKind =>
  queue.startsWith('purge-') ? 'cleanup' : (kindsOfQueues.get(queue) ?? 'other')

const labelOf = (queue: string): string => kinds[kindOf(queue)]

/** These queries run outside a transaction. */
type ListContext = Context & { sql: Sql }

/**
 * The states of the jobs of the team and of the installation, by kind. Counts are lower bounds while the
 * queue contains more than 20,000 jobs of all teams in one state. Jobs of deliveries are deleted an
 * hour after they end, so their results are counted in the deliveries of the team.
 */
export async function listJobStates({ sql, now, actor }: ListContext): Promise<JobStates[]> {
  const since = daysBefore(now(), 1)
  const [rows, settled] = await Promise.all([
    withDeadline(selectQueues(sql, actor.teamId, maxCountedJobs)),
    withDeadline(countSettledSince({ sql, actor }, since)),
  ])
  const ofKinds = Map.groupBy(rows, ({ queue }) => kindOf(queue))
  return jobKinds
    .filter((kind) => kind !== 'other' || ofKinds.has(kind))
    .map((kind) => {
      const of = ofKinds.get(kind) ?? []
      const states = of.reduce(addStates, { ...noJobs, label: kinds[kind] })
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
