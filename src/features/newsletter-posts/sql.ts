import type { Sql, Tx } from '../../lib/database/db.ts'

/**
 * `waiting`: an attempt follows. `posting`: an attempt is under way, was interrupted or was not confirmed; the next one
 * asks the chat. `unknown`: the message may be in the channel, and the chat does not say.
 */
export type PostStatus = 'waiting' | 'posting' | 'posted' | 'failed' | 'unknown'

export interface PostRow {
  id: string
  team_id: string
  newsletter_id: string
  connection_id: string
  /** The id of the channel in the chat; empty for the only one of a connection whose chat names none. */
  channel: string
  status: PostStatus
  reason: string | null
  created_at: Date
  posted_at: Date | null
  /** When it is posted; null: at once. */
  scheduled_at: Date | null
}

const columns = (sql: Sql | Tx) => sql`
  id, team_id, newsletter_id, connection_id, channel, status, reason, created_at, posted_at, scheduled_at`

/** The posts of a newsletter, oldest first: at most one for each channel. */
export async function selectPosts(
  sql: Sql | Tx,
  teamId: string,
  newsletterId: string,
): Promise<PostRow[]> {
  return await sql<PostRow[]>`
    select ${columns(sql)} from newsletter_posts
    where team_id = ${teamId} and newsletter_id = ${newsletterId} order by id limit 1000`
}

/** The posts of some newsletters that failed or were not confirmed, those that failed first. */
export async function selectFailedPosts(
  sql: Sql | Tx,
  teamId: string,
  newsletterIds: readonly string[],
): Promise<PostRow[]> {
  return await sql<PostRow[]>`
    select ${columns(sql)} from newsletter_posts
    where team_id = ${teamId} and newsletter_id = any(${newsletterIds}) and status in ('failed', 'unknown')
    order by status, id limit 1000`
}

type NewPostRow = Omit<PostRow, 'status' | 'reason' | 'posted_at'>

/**
 * Stores a waiting post, in place of one that failed or whose result is unknown. Returns its id, or
 * undefined when the newsletter is posted there or waits already.
 */
export async function upsertPost(tx: Tx, row: NewPostRow): Promise<string | undefined> {
  const [stored] = await tx<{ id: string }[]>`
    insert into newsletter_posts
      (id, team_id, newsletter_id, connection_id, channel, created_at, scheduled_at)
    values (${row.id}, ${row.team_id}, ${row.newsletter_id}, ${row.connection_id}, ${row.channel},
      ${row.created_at}, ${row.scheduled_at})
    on conflict (team_id, newsletter_id, connection_id, channel) do update
    set status = 'waiting', reason = null, created_at = excluded.created_at, scheduled_at = excluded.scheduled_at
    where newsletter_posts.status in ('failed', 'unknown')
    returning id`
  return stored?.id
}

/** Deletes a post that waits for its time or for its next attempt; false when there is none. */
export async function deleteWaitingPost(
  tx: Tx,
  teamId: string,
  {
    newsletterId,
    connectionId,
    channel,
  }: { newsletterId: string; connectionId: string; channel: string },
): Promise<boolean> {
  const rows = await tx`
    delete from newsletter_posts
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and connection_id = ${connectionId}
      and channel = ${channel} and status = 'waiting' and (scheduled_at is not null or reason is not null)
    returning id`
  return rows.length > 0
}

/** One post of a team. */
export async function selectPost(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<PostRow | undefined> {
  const [row] = await sql<PostRow[]>`
    select ${columns(sql)} from newsletter_posts where team_id = ${teamId} and id = ${id}`
  return row
}

/** Starts an attempt at a waiting post. Undefined when it is not waiting. */
export async function startPost(
  sql: Sql,
  teamId: string,
  id: string,
): Promise<PostRow | undefined> {
  const [row] = await sql<PostRow[]>`
    update newsletter_posts set status = 'posting'
    where team_id = ${teamId} and id = ${id} and status = 'waiting' returning ${columns(sql)}`
  return row
}

/** Ends the attempt at a post. Returns the id of its newsletter; undefined when the post is settled. */
export async function endPost(
  sql: Sql,
  teamId: string,
  id: string,
  {
    status,
    reason,
    postedAt,
  }: { status: PostStatus; reason: string | null; postedAt: Date | null },
): Promise<string | undefined> {
  const [row] = await sql<{ newsletter_id: string }[]>`
    update newsletter_posts set status = ${status}, reason = ${reason}, posted_at = ${postedAt}
    where team_id = ${teamId} and id = ${id} and status in ('posting', 'waiting')
    returning newsletter_id`
  return row?.newsletter_id
}
