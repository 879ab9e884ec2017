import type { BlockStatus } from '../../contract/vocabulary.ts'
import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

export type Decision = 'approved' | 'declined'

/** A draft that people review in a chat. */
export interface DraftReviewRow {
  block_id: string
  message_id: string | null
  title: string
  decision: Decision | null
  /** The person in the chat; null when the decision was made in Tidings. */
  decided_by: string | null
  decided_by_name: string | null
}

/**
 * Whether a draft `b` can be shown: who has sent one from a private conversation is stored just after the block, and until
 * then, also when the delivery fails between the two, only the delivery says that it is private.
 */
const isComplete = (sql: Sql | Tx, teamId: string) => sql`(
  b.external_id in (
    select item ->> 'external_id'
    from deliveries d, json_array_elements(d.items -> 'items') item
    where d.team_id = ${teamId} and d.status in ('waiting', 'failed') and d.items ->> 'fromPrivate' = 'true'
  ) is not true
  or exists (
    select from block_contributors c
    where c.team_id = b.team_id and c.block_id = b.id and c.from_private
  ))`

/**
 * Drafts with an id from `from` on and before `before` that no message of a connection shows, the oldest first. Drafts
 * that editors write themselves are left out.
 */
export async function selectNewDrafts(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  { from, before, limit }: { from: string; before: string; limit: number },
): Promise<{ id: string; title: string }[]> {
  return await sql<{ id: string; title: string }[]>`
    select b.id, b.title from content_blocks b
    where b.team_id = ${teamId} and b.id >= ${from} and b.id < ${before}
      and b.status = 'draft' and b.source <> 'manual' and ${isComplete(sql, teamId)}
      and not exists (
        select from draft_reviews r
        where r.team_id = ${teamId} and r.connection_id = ${connectionId} and r.block_id = b.id
          and r.message_id is not null
      )
    order by b.id limit ${limit}`
}

/**
 * Stores drafts that are posted for a review. Those that are stored already stay, except that a draft that no message has
 * shown, because a person opened it elsewhere in the chat, gets its message.
 */
export async function insertReviews(
  tx: Tx,
  teamId: string,
  connectionId: string,
  {
    drafts,
    messageId,
    at,
  }: { drafts: readonly { id: string; title: string }[]; messageId: string | null; at: Date },
): Promise<void> {
  const rows = drafts.map(({ id, title }) => ({
    team_id: teamId,
    connection_id: connectionId,
    block_id: id,
    message_id: messageId,
    title,
    created_at: at,
  }))
  await tx`
    insert into draft_reviews ${tx(rows)}
    on conflict (team_id, connection_id, block_id) do update
      set message_id = excluded.message_id, title = excluded.title
      where draft_reviews.message_id is null and excluded.message_id is not null`
}

/** Locks the review of a draft until the transaction ends, and returns it with the status of its block. */
export async function lockReview(
  tx: Tx,
  teamId: string,
  connectionId: string,
  blockId: string,
): Promise<DraftReviewRow | undefined> {
  const [row] = await tx<DraftReviewRow[]>`
    select block_id, message_id, title, decision, decided_by, decided_by_name from draft_reviews
    where team_id = ${teamId} and connection_id = ${connectionId} and block_id = ${blockId} for update`
  return row
}

/** Stores the decision about a draft. */
export async function updateDecision(
  tx: Tx,
  teamId: string,
  connectionId: string,
  decided: Pick<DraftReviewRow, 'block_id' | 'decision' | 'decided_by' | 'decided_by_name'> & {
    at: Date
  },
): Promise<void> {
  await tx`
    update draft_reviews set decision = ${decided.decision}, decided_by = ${decided.decided_by},
      decided_by_name = ${decided.decided_by_name}, decided_at = ${decided.at}
    where team_id = ${teamId} and connection_id = ${connectionId} and block_id = ${decided.block_id}`
}

/** Deletes decisions about blocks that are drafts again, and returns the messages that show them. */
export async function clearDecisions(
  tx: Tx,
  teamId: string,
  connectionId: string,
  blockIds: readonly string[],
): Promise<{ message_id: string | null }[]> {
  return await tx<{ message_id: string | null }[]>`
    update draft_reviews r
    set decision = null, decided_by = null, decided_by_name = null, decided_at = null
    where r.team_id = ${teamId} and r.connection_id = ${connectionId}
      and r.block_id = any(${[...blockIds]})
      and exists (
        select from content_blocks b
        where b.team_id = r.team_id and b.id = r.block_id and b.status = 'draft'
      )
    returning r.message_id`
}

/** Stores who has changed a draft in the chat last. */
export async function updateEditor(
  tx: Tx,
  teamId: string,
  { connectionId, blockId, userId }: { connectionId: string; blockId: string; userId: string },
): Promise<void> {
  await tx`
    update draft_reviews set edited_by = ${userId}
    where team_id = ${teamId} and connection_id = ${connectionId} and block_id = ${blockId}`
}

/** The person who has changed a draft in the chat last; null when nobody has. */
export async function selectEditor(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, blockId }: { connectionId: string; blockId: string },
): Promise<string | null> {
  const [row] = await sql<{ edited_by: string | null }[]>`
    select edited_by from draft_reviews
    where team_id = ${teamId} and connection_id = ${connectionId} and block_id = ${blockId}`
  return row?.edited_by ?? null
}

/** A draft in a message, with what is stored of it now. */
export interface ReviewedDraftRow extends DraftReviewRow {
  /** Null when the block was deleted. */
  status: BlockStatus | null
  version: number | null
  body: string | null
  body_format: 'html' | 'text' | null
  author: string | null
  /** Whether the content comes from a private conversation. */
  from_private: boolean
}

/** The drafts of a message, the oldest first. */
export async function selectReviewedDrafts(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  messageId: string,
): Promise<ReviewedDraftRow[]> {
  return await sql<ReviewedDraftRow[]>`
    select r.block_id, r.message_id, coalesce(b.title, r.title) as title, r.decision, r.decided_by,
      r.decided_by_name, b.status, b.version, left(b.body, 20000) as body, b.body_format, b.author,
      exists (
        select from block_contributors c
        where c.team_id = r.team_id and c.block_id = r.block_id and c.from_private
      ) as from_private
    from draft_reviews r
    left join content_blocks b on b.team_id = r.team_id and b.id = r.block_id
    where r.team_id = ${teamId} and r.connection_id = ${connectionId} and r.message_id = ${messageId}
    order by r.block_id`
}

/** Drafts with an id from `from` on, the oldest first; without those that editors write themselves. */
export async function selectDrafts(
  sql: Sql | Tx,
  teamId: string,
  { from, limit }: { from: string; limit: number },
): Promise<ReviewedDraftRow[]> {
  return await sql<ReviewedDraftRow[]>`
    select b.id as block_id, null as message_id, b.title, null as decision, null as decided_by,
      null as decided_by_name, b.status, b.version, left(b.body, 20000) as body, b.body_format, b.author,
      exists (
        select from block_contributors c
        where c.team_id = b.team_id and c.block_id = b.id and c.from_private
      ) as from_private
    from content_blocks b
    where b.team_id = ${teamId} and b.id >= ${from} and b.status = 'draft' and b.source <> 'manual'
      and ${isComplete(sql, teamId)}
    order by b.id limit ${limit}`
}

/** Undecided reviews whose blocks are not drafts any more, because people have reviewed them in Tidings. */
export async function selectReviewedElsewhere(
  tx: Tx,
  teamId: string,
  connectionId: string,
  limit: number,
): Promise<{ block_id: string; message_id: string | null; exists: boolean }[]> {
  return await tx<{ block_id: string; message_id: string | null; exists: boolean }[]>`
    select r.block_id, r.message_id, b.id is not null as exists
    from draft_reviews r
    left join content_blocks b on b.team_id = r.team_id and b.id = r.block_id
    where r.team_id = ${teamId} and r.connection_id = ${connectionId} and r.decision is null
      and b.status is distinct from 'draft'
    order by r.block_id limit ${limit} for update of r skip locked`
}

/** The ids of blocks that are drafts again after a decision, because people have restored them or set them back. */
export async function selectReopened(
  tx: Tx,
  teamId: string,
  connectionId: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx<{ block_id: string }[]>`
    select r.block_id from draft_reviews r
    join content_blocks b on b.team_id = r.team_id and b.id = r.block_id
    where r.team_id = ${teamId} and r.connection_id = ${connectionId} and r.decision is not null
      and b.status = 'draft'
    order by r.block_id limit ${limit} for update of r skip locked`
  return rows.map(({ block_id }) => block_id)
}

/** Deletes the reviews of all teams that were stored before a moment. */
export async function deleteReviewsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'draft_reviews', sql`created_at < ${moment}`)
}
