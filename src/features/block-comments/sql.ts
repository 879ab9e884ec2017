import type { Sql, Tx } from '../../lib/database/db.ts'

export interface CommentRow {
  id: string
  block_id: string
  member_id: string
  body: string
  mentioned: string[]
  created_at: Date
}

/** A comment with the name of its author. */
export interface Comment extends CommentRow {
  author: string
}

/** Stores a comment. */
export async function insertComment(tx: Tx, teamId: string, comment: CommentRow): Promise<void> {
  await tx`insert into block_comments ${tx({ ...comment, team_id: teamId })}`
}

/** The newest comments on a block, the oldest of them first. */
export async function selectComments(
  sql: Sql | Tx,
  teamId: string,
  blockId: string,
  limit: number,
): Promise<Comment[]> {
  return await sql<Comment[]>`
    select * from (
      select c.id, c.block_id, c.member_id, c.body, c.mentioned, c.created_at, m.name as author
      from block_comments c join members m on m.team_id = c.team_id and m.id = c.member_id
      where c.team_id = ${teamId} and c.block_id = ${blockId} order by c.id desc limit ${limit}
    ) newest order by id`
}

/** Deletes a comment, of one member when `memberId` is given; returns whether there was one. */
export async function deleteCommentRow(
  tx: Tx,
  teamId: string,
  { id, blockId, memberId }: { id: string; blockId: string; memberId: string | null },
): Promise<boolean> {
  const rows = await tx`
    delete from block_comments
    where team_id = ${teamId} and id = ${id} and block_id = ${blockId}
      and (${memberId}::text is null or member_id = ${memberId})
    returning id`
  return rows.length > 0
}

export interface EditorRow {
  id: string
  name: string
  email: string
}

/** The editors and admins of a team after one of them, by name. */
export async function selectEditors(
  sql: Sql | Tx,
  teamId: string,
  { after, limit }: { after: Pick<EditorRow, 'id' | 'name'>; limit: number },
): Promise<EditorRow[]> {
  return await sql<EditorRow[]>`
    select id, name, email from members
    where team_id = ${teamId} and role in ('editor', 'admin') and removed_at is null
      and (lower(name), id) > (lower(${after.name}), ${after.id})
    order by lower(name), id limit ${limit}`
}

/** Stores who works on a block; false when that is the person already. */
export async function upsertAssignment(
  tx: Tx,
  teamId: string,
  { blockId, memberId, at }: { blockId: string; memberId: string; at: Date },
): Promise<boolean> {
  const rows = await tx`
    insert into block_assignments (team_id, block_id, member_id, created_at)
    values (${teamId}, ${blockId}, ${memberId}, ${at})
    on conflict (team_id, block_id) do update
      set member_id = excluded.member_id, created_at = excluded.created_at
      where block_assignments.member_id <> excluded.member_id
    returning block_id`
  return rows.length > 0
}

/** Deletes who works on a block; false when nobody does. */
export async function deleteAssignment(tx: Tx, teamId: string, blockId: string): Promise<boolean> {
  const rows = await tx`
    delete from block_assignments where team_id = ${teamId} and block_id = ${blockId}
    returning block_id`
  return rows.length > 0
}

/** What the list shows of a block besides the block itself. */
export interface DiscussionSummary {
  id: string
  comments: number
  /** The id and the name of the member who works on it, or null. */
  assignee_id: string | null
  assignee: string | null
}

/** The number of comments and the assignee of each of these blocks. */
export async function selectDiscussionSummaries(
  sql: Sql | Tx,
  teamId: string,
  blockIds: readonly string[],
): Promise<DiscussionSummary[]> {
  return await sql<DiscussionSummary[]>`
    select b.id, m.id as assignee_id, m.name as assignee, (
        select count(*)::integer from block_comments c
        where c.team_id = ${teamId} and c.block_id = b.id
      ) as comments
    from unnest(${[...blockIds]}::text[]) as b (id)
    left join block_assignments a on a.team_id = ${teamId} and a.block_id = b.id
    left join members m on m.team_id = a.team_id and m.id = a.member_id and m.removed_at is null`
}
