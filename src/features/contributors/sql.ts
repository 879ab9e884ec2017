import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { deleteInSlices, rowsPerSlice } from '../../lib/database/delete-in-slices.ts'

/** `sender`: saved the content. `author`: wrote it. `recipient`: is thanked in it. */
export type ContributorRole = 'sender' | 'author' | 'recipient'

export interface ContributorRow {
  team_id: string
  block_id: string
  connection_id: string
  user_id: string
  role: ContributorRole
  from_private: boolean
  created_at: Date
}

/** Stores contributors of blocks; those that are stored already stay. */
export async function insertContributors(
  sql: Sql | Tx,
  rows: readonly ContributorRow[],
): Promise<void> {
  await sql`insert into block_contributors ${sql(rows)} on conflict do nothing`
}

/** Deletes the contributors of some blocks. */
export async function deleteContributorRows(
  sql: Sql | Tx,
  teamId: string,
  blockIds: readonly string[],
): Promise<void> {
  await sql`
    delete from block_contributors where team_id = ${teamId} and block_id = any(${[...blockIds]})`
}

/** A newsletter with a person who contributed to it and has no message about it. */
export interface UnnotifiedRow {
  newsletter_id: string
  user_id: string
}

/** Contributors of newsletters that were sent in a period, who have no message about it yet. */
export async function selectUnnotified(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  { from, until, limit }: { from: Date; until: Date; limit: number },
): Promise<UnnotifiedRow[]> {
  return await sql<UnnotifiedRow[]>`
    select distinct n.id as newsletter_id, c.user_id
    from newsletters n
    join newsletter_blocks nb on nb.team_id = n.team_id and nb.newsletter_id = n.id
    join block_contributors c on c.team_id = nb.team_id
      and c.block_id = coalesce(nb.snapshot ->> 'id', nb.content_block_id)
      and c.connection_id = ${connectionId}
    where n.team_id = ${teamId} and n.status = 'sent' and n.sent_at > ${from} and n.sent_at <= ${until}
      and not exists (
        select from chat_messages m
        where m.team_id = ${teamId} and m.connection_id = ${connectionId} and m.kind = 'published'
          and m.recipient = c.user_id and m.subject = n.id
      )
    order by 1, 2 limit ${limit}`
}

/** The roles of a person in some blocks. */
export async function selectRoles(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, userId }: { connectionId: string; userId: string },
  blockIds: readonly string[],
): Promise<Pick<ContributorRow, 'block_id' | 'role'>[]> {
  return await sql<Pick<ContributorRow, 'block_id' | 'role'>[]>`
    select block_id, role from block_contributors
    where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${userId}
      and block_id = any(${[...blockIds]})`
}

/** The newest blocks that a person sent or wrote. */
export async function selectBlocksOf(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, userId }: { connectionId: string; userId: string },
  limit: number,
): Promise<string[]> {
  const rows = await sql<{ block_id: string }[]>`
    select distinct block_id from block_contributors
    where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${userId}
      and role <> 'recipient'
    order by block_id desc limit ${limit}`
  return rows.map(({ block_id }) => block_id)
}

/** The people who sent a block. */
export async function selectSenders(
  sql: Sql | Tx,
  teamId: string,
  blockId: string,
): Promise<Pick<ContributorRow, 'connection_id' | 'user_id'>[]> {
  return await sql<Pick<ContributorRow, 'connection_id' | 'user_id'>[]>`
    select distinct connection_id, user_id from block_contributors
    where team_id = ${teamId} and block_id = ${blockId} and role = 'sender'
    order by 1, 2 limit 100`
}

/** Whether a person has sent a block from a private conversation. */
export async function existsPrivate(
  sql: Sql | Tx,
  teamId: string,
  blockId: string,
): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (
      select from block_contributors
      where team_id = ${teamId} and block_id = ${blockId} and from_private
    ) as found`
  return row?.found === true
}

/** A person of a chat. */
export interface ChatPersonRow {
  member_id: string | null
  wants_messages: boolean
  wants_reminders: boolean
}

/** What is known of a person of a chat. */
export async function selectPerson(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, userId }: { connectionId: string; userId: string },
): Promise<ChatPersonRow | undefined> {
  const [row] = await sql<ChatPersonRow[]>`
    select member_id, wants_messages, wants_reminders from chat_people
    where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${userId}`
  return row
}

/** Stores whether a person wants messages. */
export async function upsertWantsMessages(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, userId }: { connectionId: string; userId: string },
  { wantsMessages, at }: { wantsMessages: boolean; at: Date },
): Promise<void> {
  await sql`
    insert into chat_people (team_id, connection_id, user_id, wants_messages, updated_at)
    values (${teamId}, ${connectionId}, ${userId}, ${wantsMessages}, ${at})
    on conflict (team_id, connection_id, user_id) do update
    set wants_messages = excluded.wants_messages, updated_at = excluded.updated_at`
}

/** Stores whether a person wants to be reminded of questions. */
export async function upsertWantsReminders(
  sql: Sql | Tx,
  teamId: string,
  { connectionId, userId }: { connectionId: string; userId: string },
  { wantsReminders, at }: { wantsReminders: boolean; at: Date },
): Promise<void> {
  await sql`
    insert into chat_people (team_id, connection_id, user_id, wants_reminders, updated_at)
    values (${teamId}, ${connectionId}, ${userId}, ${wantsReminders}, ${at})
    on conflict (team_id, connection_id, user_id) do update
    set wants_reminders = excluded.wants_reminders, updated_at = excluded.updated_at`
}

/** Deletes the contributors of all teams that were stored before a moment. */
export async function deleteContributorsBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'block_contributors', sql`created_at < ${moment}`)
}

/** Stands for the deleted people of a block. No chat has such an id. */
const nobody = '-'

/**
 * Deletes the people and the contributors of connections that were removed. That a block comes from a private conversation
 * stays stored, because another connection of the team can show its draft.
 */
export async function deletePeopleOfRemovedConnections(sql: Sql | Tx): Promise<void> {
  const due = sql`(team_id, connection_id) in (
    select team_id, id from connections where removed_at is not null) and user_id <> ${nobody}`
  await deleteInSlices(sql, 'chat_people', due)
  for (;;) {
    const { count } = await withDeadline(sql`
      insert into block_contributors (team_id, block_id, connection_id, user_id, role, from_private, created_at)
      select distinct on (team_id, block_id, connection_id)
        team_id, block_id, connection_id, ${nobody}, 'author', true, created_at
      from block_contributors
      where ${due} and from_private and not exists (
        select from block_contributors kept
        where kept.team_id = block_contributors.team_id and kept.block_id = block_contributors.block_id
          and kept.connection_id = block_contributors.connection_id and kept.user_id = ${nobody}
      )
      limit ${rowsPerSlice} on conflict do nothing`)
    if (count === 0) break
  }
  await deleteInSlices(sql, 'block_contributors', due)
}
