import type { Sql, Tx } from '../../lib/database/db.ts'

export interface SavedFilter {
  name: string
  /** The query of the URL. */
  query: string
}

/** Stores a filter of a member; one with the same name is replaced. */
export async function upsertFilter(
  tx: Tx,
  owner: { teamId: string; memberId: string },
  { name, query }: SavedFilter,
  at: Date,
): Promise<void> {
  await tx`
    insert into saved_filters (team_id, member_id, name, query, created_at)
    values (${owner.teamId}, ${owner.memberId}, ${name}, ${query}, ${at})
    on conflict (team_id, member_id, name) do update set query = excluded.query`
}

/** The filters of a member, by name. */
export async function selectFilters(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
): Promise<SavedFilter[]> {
  return await sql<SavedFilter[]>`
    select name, query from saved_filters
    where team_id = ${teamId} and member_id = ${memberId} order by lower(name), name`
}

/** Deletes a filter of a member. */
export async function deleteFilterRow(
  sql: Sql | Tx,
  teamId: string,
  memberId: string,
  name: string,
): Promise<void> {
  await sql`
    delete from saved_filters
    where team_id = ${teamId} and member_id = ${memberId} and name = ${name}`
}
