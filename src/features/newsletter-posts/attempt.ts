import * as v from 'valibot'
import type { Now } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { endPost, type PostRow, selectPost, startPost } from './sql.ts'

/** The data of a job that posts a newsletter. */
export const PostJobData = v.object({ teamId: v.string(), postId: v.string() })
export type PostJobData = v.InferOutput<typeof PostJobData>

interface PostDeps {
  sql: Sql
  now: Now
}

/** How an attempt ended. `waiting`: another attempt follows. */
export type PostOutcome =
  | { status: 'posted' }
  | { status: 'waiting' | 'failed' | 'unknown'; reason: string }

const interrupted =
  'Tidings stopped while it posted the newsletter. Look in the channel; if it is missing, post it again.'

/** A post for which a job exists; undefined when it was removed. */
export async function findPost(
  { sql }: PostDeps,
  { teamId, postId }: PostJobData,
): Promise<PostRow | undefined> {
  return await withDeadline(selectPost(sql, teamId, postId))
}

/**
 * Starts an attempt. Null when the post is settled, or when an earlier attempt was interrupted: nobody
 * knows whether that one posted the newsletter, so it is not repeated.
 */
export async function startPostAttempt(
  deps: PostDeps,
  { teamId, postId }: PostJobData,
): Promise<PostRow | null> {
  const { sql } = deps
  const started = await withDeadline(startPost(sql, teamId, postId))
  if (started) return started
  const row = await withDeadline(selectPost(sql, teamId, postId))
  if (row?.status === 'posting') {
    await endPostAttempt(deps, { teamId, postId }, { status: 'unknown', reason: interrupted })
  }
  return null
}

/** Stores how an attempt ended. */
export async function endPostAttempt(
  { sql, now }: PostDeps,
  { teamId, postId }: PostJobData,
  outcome: PostOutcome,
): Promise<void> {
  const reason = outcome.status === 'posted' ? null : outcome.reason
  const postedAt = outcome.status === 'posted' ? now() : null
  const row = { status: outcome.status, reason, postedAt }
  await withDeadline(endPost(sql, teamId, postId, row))
}
