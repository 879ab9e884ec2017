import type { Tx } from '../../lib/database/db.ts'

/**
 * How many of the teams that an account belongs to were created after a moment. Locks the account until the
 * transaction ends, so that requests at the same time are counted one after the other.
 */
export async function countNewTeams(tx: Tx, accountId: string, since: Date): Promise<number> {
  await tx`select id from accounts where id = ${accountId} for update`
  const [row] = await tx<[{ created: number }]>`
    select count(*)::integer as created from members m join teams t on t.id = m.team_id
    where m.account_id = ${accountId} and m.removed_at is null and t.created_at > ${since}`
  return row.created
}
