import type { Sql, Tx } from '../../lib/database/db.ts'

interface LeaseRow {
  team_id: string
  connection_id: string
  holder: string
  lease_ms: number
}

/**
 * Stores a lease, unless another process has one that has not ended by the clock of the database. Returns
 * whether it is stored.
 */
export async function upsertLease(
  sql: Sql | Tx,
  { team_id, connection_id, holder, lease_ms }: LeaseRow,
): Promise<boolean> {
  const rows = await sql`
    insert into socket_leases as stored (team_id, connection_id, holder, held_until)
    values (${team_id}, ${connection_id}, ${holder},
      clock_timestamp() + ${lease_ms} * interval '1 millisecond')
    on conflict (team_id, connection_id) do update
      set holder = excluded.holder, held_until = excluded.held_until
      where stored.holder = excluded.holder or stored.held_until < clock_timestamp()
    returning team_id`
  return rows.length > 0
}

/** Ends the lease of a process. */
export async function deleteLease(
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  holder: string,
): Promise<void> {
  await sql`
    delete from socket_leases
    where team_id = ${teamId} and connection_id = ${connectionId} and holder = ${holder}`
}

/** Stores why the process that has the lease cannot open the socket of a connection. */
export async function updateProblem(
  sql: Sql | Tx,
  { team_id, connection_id, holder }: Omit<LeaseRow, 'lease_ms'>,
  problem: string | null,
): Promise<void> {
  await sql`
    update socket_leases set problem = ${problem}
    where team_id = ${team_id} and connection_id = ${connection_id} and holder = ${holder}
      and problem is distinct from ${problem}`
}
