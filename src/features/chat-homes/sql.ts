import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** The home of a person in a chat. */
export interface ChatHomeRow {
  user_id: string
  /** Whether it shows what editors see. */
  is_editor: boolean
  /** A hash of what it shows. */
  fingerprint: string
}

/** Stores what a home shows. */
export async function upsertHome(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  { user_id, is_editor, fingerprint, openedAt }: ChatHomeRow & { openedAt: Date },
): Promise<void> {
  await sql`
    insert into chat_homes (team_id, connection_id, user_id, is_editor, fingerprint, opened_at)
    values (${teamId}, ${connectionId}, ${user_id}, ${is_editor}, ${fingerprint}, ${openedAt})
    on conflict (team_id, connection_id, user_id) do update set
      is_editor = excluded.is_editor, fingerprint = excluded.fingerprint, opened_at = excluded.opened_at`
}

/** The homes that were opened since a moment, the latest first. */
export async function selectHomes(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  { since, limit }: { since: Date; limit: number },
): Promise<ChatHomeRow[]> {
  return await sql<ChatHomeRow[]>`
    select user_id, is_editor, fingerprint from chat_homes
    where team_id = ${teamId} and connection_id = ${connectionId} and opened_at > ${since}
    order by opened_at desc limit ${limit}`
}

/** Replaces the hash of a home. False when another process has done that. */
export async function replaceFingerprint(
  tx: Tx,
  teamId: string,
  connectionId: string,
  { user_id, fingerprint, next }: Pick<ChatHomeRow, 'user_id' | 'fingerprint'> & { next: string },
): Promise<boolean> {
  const rows = await tx`
    update chat_homes set fingerprint = ${next}
    where team_id = ${teamId} and connection_id = ${connectionId} and user_id = ${user_id}
      and fingerprint = ${fingerprint}
    returning 1`
  return rows.length > 0
}

/** Deletes the homes of all teams that were not opened since a moment. */
export async function deleteHomesBefore(sql: Sql | Tx, moment: Date): Promise<void> {
  await deleteInSlices(sql, 'chat_homes', sql`opened_at < ${moment}`)
}
