import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { sendStoredChange } from '../../lib/database/changes.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { toReason } from '../../lib/text/reason.ts'
import { endPost, type PostRow, selectPost, startPost } from './sql.ts'

/** The data of a job that posts a newsletter. */
export const PostJobData = v.object({ teamId: v.string(), postId: v.string() })
export type PostJobData = v.InferOutput<typeof PostJobData>

interface PostDeps {
  sql: Sql
  now: Now
}

/** How an attempt ended. After `waiting` (it is certainly not posted) and `posting` (it may be), another attempt follows. */
export type PostOutcome =
  | { status: 'posted' }
  | { status: 'waiting' | 'posting' | 'failed' | 'unknown'; reason: string }

/** A post for which a job exists; undefined when it was removed. */
export async function findPost(
  { sql }: PostDeps,
  { teamId, postId }: PostJobData,
): Promise<PostRow | undefined> {
  return await withDeadline(selectPost(sql, teamId, postId))
}

/**
 * Starts an attempt. `wasInterrupted` says that an earlier attempt may have posted the newsletter. Null when the post is
 * settled.
 */
export async function startPostAttempt(
  { sql }: PostDeps,
  { teamId, postId }: PostJobData,
): Promise<{ post: PostRow; wasInterrupted: boolean } | null> {
  const post = await withDeadline(startPost(sql, teamId, postId))
  if (post) return { post, wasInterrupted: false }
  const row = await withDeadline(selectPost(sql, teamId, postId))
  return row?.status === 'posting' ? { post: row, wasInterrupted: true } : null
}

/** Stores how an attempt ended; the open pages of the newsletter show it. */
export async function endPostAttempt(
  { sql, now }: PostDeps,
  { teamId, postId }: PostJobData,
  outcome: PostOutcome,
): Promise<void> {
  const reason = outcome.status === 'posted' ? null : toReason(outcome.reason)
  const postedAt = outcome.status === 'posted' ? now() : null
  const row = { status: outcome.status, reason, postedAt }
  const newsletter = await withDeadline(endPost(sql, teamId, postId, row))
  if (newsletter) await sendStoredChange(sql, { topic: 'posts', team: teamId, newsletter })
}
