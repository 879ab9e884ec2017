import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { daysBefore } from '../../lib/clock.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { type Sql, type Tx, transaction, withDeadline } from '../../lib/database/db.ts'
import type { JobQueue, JobType } from '../../lib/queue/index.ts'
import { toReason } from '../../lib/text/reason.ts'
import { compareEntries, type EntryChange, type SeenEntry } from './compare-entries.ts'
import { deleteUnseen, updateSeen, upsertEntries } from './entries-sql.ts'
import {
  lockSource,
  type PollProblem,
  queueDue,
  selectSource,
  updateFailed,
  updateRead,
  updateSucceeded,
} from './sql.ts'

/** Reads the source of a connection. What fails at the source is stored and is not a failure of the job. */
export const pollJob: JobType = {
  name: 'poll-source',
  heartbeatSeconds: 10,
  retryLimit: 5,
  retryDelay: 5,
  retryBackoff: true,
  expireInSeconds: 300,
  deleteAfterSeconds: 3_600,
}

/** The data of a {@link pollJob}. */
export const PollJobData = v.object({ teamId: v.string(), connectionId: v.string() })
export type PollJobData = v.InferOutput<typeof PollJobData>

const maxPerRun = 500
/** All attempts at a job have ended by then. */
const lostAfterMs = 45 * 60_000

/** Adds a job for each source that is due. It can run at any time and in several processes. */
export async function queueDuePolls({
  sql,
  now,
  queue,
}: ServiceContext & { queue: JobQueue }): Promise<void> {
  const at = now()
  const lostBefore = new Date(at.getTime() - lostAfterMs)
  await transaction(sql, async (tx) => {
    const due = await queueDue(tx, { now: at, lostBefore, limit: maxPerRun })
    for (const { team_id: teamId, connection_id: connectionId } of due)
      await queue.add(tx, pollJob, { teamId, connectionId } satisfies PollJobData, teamId)
  })
}

/** A poll that has started. */
export interface StartedPoll extends PollJobData {
  /** Identifies the poll. */
  version: number
  /** The hash of the address of the source. */
  source: Buffer
  /** Whether another source was read before, or none. */
  isFirst: boolean
  /** What ids begin with that are unique only within this source; empty for the first source of the connection. */
  idPrefix: string
  /** The polls that have failed since the last one that succeeded. */
  failures: number
  /** What the adapter stored with the last poll. */
  state: unknown
}

/** Starts a poll of a source at an address; null when it is not due any more. */
export async function startPoll(
  { sql, now }: ServiceContext,
  { teamId, connectionId, address }: PollJobData & { address: string },
): Promise<StartedPoll | null> {
  const row = await withDeadline(selectSource(sql, teamId, connectionId))
  if (!row || row.due_at === null || row.due_at > now()) return null
  const source = createHash('sha256').update(address).digest()
  const isFirst = row.source_hash === null || !source.equals(row.source_hash)
  const { version, failures, first_source_hash: first } = row
  const idPrefix = first === null || source.equals(first) ? '' : `${source.toString('hex')}:`
  const state = isFirst ? null : row.state
  return { teamId, connectionId, version, source, isFirst, idPrefix, failures, state }
}

interface ReadSource {
  /** All entries of the source. */
  entries: readonly SeenEntry[]
  /** What the adapter needs at the next poll. */
  state: unknown
  /** Whether an entry whose time is to come is withdrawn when it is missing. */
  withdrawsMissing: boolean
  /** Only an entry that is over before can be missing; null when the source was read completely. */
  completeUntil: Date | null
  dueAt: Date
}

/**
 * Stores what a poll has read: new, changed and missing entries are passed to `storeNews` in the same transaction, so
 * that each becomes one delivery. Does nothing when another poll was stored meanwhile.
 */
export async function completePoll(
  { sql, now }: ServiceContext & { sql: Sql },
  {
    poll,
    entries,
    state,
    withdrawsMissing,
    completeUntil,
    dueAt,
  }: ReadSource & { poll: StartedPoll },
  storeNews: (tx: Tx, news: readonly EntryChange[]) => Promise<unknown>,
): Promise<void> {
  const { teamId, connectionId, version, source } = poll
  const at = now()
  const owner = { team_id: teamId, connection_id: connectionId, source_hash: source, seen_at: at }
  const keys = entries.map(({ key }) => key)
  await transaction(sql, async (tx) => {
    if (!(await lockSource(tx, teamId, connectionId, version))) return
    const news = await compareEntries(tx, poll, { entries, withdrawsMissing, completeUntil, at })
    await storeNews(
      tx,
      news.filter(({ isSilent }) => !isSilent),
    )
    await upsertEntries(
      tx,
      owner,
      news.map(({ row }) => row),
    )
    await updateSeen(tx, owner, { keys, before: daysBefore(at, 1) })
    const row = { ...rowOf(poll), polled_at: at, due_at: dueAt }
    await updateRead(tx, { ...row, source, state })
  })
}

/** Stores that nothing has changed in a source. */
export async function completeUnchanged(
  { sql, now }: ServiceContext,
  { poll, dueAt }: { poll: StartedPoll; dueAt: Date },
): Promise<void> {
  const row = { ...rowOf(poll), polled_at: now(), due_at: dueAt }
  await withDeadline(updateSucceeded(sql, row))
}

interface FailedPoll {
  poll: StartedPoll
  reason: string
  problem: PollProblem
  dueAt: Date | null
}

/** Stores why a source could not be read, and when it is read again; `dueAt` is null for one that has ended. */
export async function failPoll(
  { sql, now }: ServiceContext,
  { poll, reason, problem, dueAt }: FailedPoll,
): Promise<void> {
  const row = { ...rowOf(poll), polled_at: now(), due_at: dueAt }
  await withDeadline(updateFailed(sql, { ...row, reason: toReason(reason), problem }))
}

const rowOf = ({ teamId, connectionId, version }: StartedPoll) => ({
  team_id: teamId,
  connection_id: connectionId,
  version,
})

const retentionDays = 90

/** Deletes entries that have been missing in their source for 90 days. */
export async function purgePolledEntries({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteUnseen(sql, { before, days: retentionDays })
}
