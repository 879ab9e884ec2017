import type { Sql, Tx } from '../../lib/database/db.ts'

/** An account of a chat. */
interface AccountKey {
  connectionId: string
  userId: string
}

/** The adapter of a connection; undefined for one that was removed. */
export async function selectConnectionOf(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
): Promise<{ adapter: string } | undefined> {
  const [row] = await sql<{ adapter: string }[]>`
    select adapter from connections
    where team_id = ${teamId} and id = ${connectionId} and removed_at is null`
  return row
}

/** Stores which member has an account of a chat. */
export async function upsertAccountLink(
  tx: Tx,
  teamId: string,
  { connectionId, userId }: AccountKey,
  { memberId, at }: { memberId: string; at: Date },
): Promise<void> {
  await tx`
    insert into chat_people (team_id, connection_id, user_id, member_id, updated_at)
    values (${teamId}, ${connectionId}, ${userId}, ${memberId}, ${at})
    on conflict (team_id, connection_id, user_id) do update
    set member_id = excluded.member_id, updated_at = excluded.updated_at`
}

/** Removes the link of a member; false when there is none. */
export async function deleteAccountLink(
  tx: Tx,
  teamId: string,
  { connectionId, userId }: AccountKey,
  { memberId, at }: { memberId: string; at: Date },
): Promise<boolean> {
  const rows = await tx`
    update chat_people set member_id = null, updated_at = ${at}
    where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${userId}
      and member_id = ${memberId} returning user_id`
  return rows.length > 0
}

/** Removes the links of a member to accounts of all chats. */
export async function deleteLinksOf(
  tx: Tx,
  { teamId, memberId, at }: { teamId: string; memberId: string; at: Date },
): Promise<void> {
  await tx`
    update chat_people set member_id = null, updated_at = ${at}
    where team_id = ${teamId} and member_id = ${memberId}`
}

/** An account of a chat that a member has linked. */
export interface LinkedAccountRow {
  connection_id: string
  user_id: string
  adapter: string
}

/** The accounts that a member has linked, at most 100. */
export async function selectLinkedAccounts(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
): Promise<LinkedAccountRow[]> {
  return await sql<LinkedAccountRow[]>`
    select p.connection_id, p.user_id, c.adapter
    from chat_people p
    join connections c on c.team_id = p.team_id and c.id = p.connection_id and c.removed_at is null
    where p.team_id = ${teamId} and p.member_id = ${memberId}
    order by p.connection_id, p.user_id limit 100`
}
