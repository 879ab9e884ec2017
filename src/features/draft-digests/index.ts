import { daysBefore, hourMs, localTime } from '../../lib/clock.ts'
import { inTransaction, type ServiceContext, systemContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { type EmailText, notifyMembers, type Recipient } from '../notifications/index.ts'
import {
  type DigestMember,
  type NewDraft,
  selectDigestDrafts,
  selectDigestMembers,
  updateDigestTime,
} from './sql.ts'

/** The new drafts of a team since the last digest. */
interface Digest {
  /** The newest ten. */
  drafts: readonly NewDraft[]
  /** How many there are; 100 stands for more. */
  count: number
}

/** Writes the email with new drafts. */
export type DigestEmail = (recipient: Recipient, digest: Digest) => EmailText

interface DigestContext extends ServiceContext {
  sql: Sql
  queue: JobQueue
  email: DigestEmail
}

/** The hour of the person's day from which a digest is sent. */
const digestHour = 8
const perPage = 500
const openTransactionsMs = 5 * 60_000
const maxShown = 10
const maxCounted = 100

/**
 * Prepares the digests that are due: one for each day or week of the person, at 8:00 of their day, when
 * there are new drafts. Any number of processes can run it, and it can be repeated at any time. What the
 * service missed while it was off is in the next digest.
 */
export async function runDigests(ctx: DigestContext): Promise<void> {
  const failures: unknown[] = []
  let after = ''
  for (;;) {
    const page = await withDeadline(selectDigestMembers(ctx.sql, { after, limit: perPage }))
    for (const member of page) {
      await runDigest(ctx, member).catch((error: unknown) => failures.push(error))
    }
    const last = page.at(-1)
    if (!last || page.length < perPage) break
    after = last.member_id
  }
  // A person whose digest fails does not stop the others; the job is retried.
  if (failures.length > 0) throw failures[0]
}

async function runDigest(ctx: DigestContext, member: DigestMember): Promise<void> {
  const at = ctx.now()
  const { draft_digest_at: since, team_id: teamId, member_id: memberId } = member
  if (since && periodOf(member, since) >= periodOf(member, at)) return
  await inTransaction(systemContext(ctx, teamId), async (txCtx) => {
    if (!(await updateDigestTime(txCtx.sql, member, at))) return
    // The first digest has what is new from now on.
    if (!since) return
    const range = {
      from: firstIdBefore(since),
      before: firstIdBefore(at),
      limit: maxShown,
      max: maxCounted,
    }
    const digest = await selectDigestDrafts(txCtx.sql, teamId, range)
    if (digest.count === 0) return
    await notifyMembers(txCtx, {
      kind: 'drafts',
      memberIds: [memberId],
      compose: (recipient) => ctx.email(recipient, digest),
    })
  })
}

/**
 * A block whose transaction is still open cannot be seen, and its id has the time of its request. So each
 * digest ends some minutes before its moment, and the next one begins there: longer ago than a request and
 * its transaction (15 s) can last.
 */
const firstIdBefore = (at: Date) => firstIdAt('cb', new Date(at.getTime() - openTransactionsMs))

/** The day or the Monday of the week to which a moment belongs for a person; a day begins at 8:00. */
function periodOf({ draft_digest, time_zone }: DigestMember, at: Date): string {
  const shifted = new Date(at.getTime() - digestHour * hourMs)
  const { day } = localTime(shifted, time_zone ?? 'UTC')
  if (draft_digest === 'daily') return day
  const noon = new Date(`${day}T12:00:00Z`)
  const daysSinceMonday = (noon.getUTCDay() + 6) % 7
  return daysBefore(noon, daysSinceMonday).toISOString().slice(0, 10)
}
