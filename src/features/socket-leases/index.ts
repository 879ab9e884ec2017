import type { ServiceContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { deleteLease, updateProblem, upsertLease } from './sql.ts'

/** The socket of a connection. */
export interface SocketOwner {
  teamId: string
  connectionId: string
  /** Identifies the process. */
  holder: string
}

type LeaseContext = ServiceContext & { sql: Sql }

/**
 * Makes this process the one that has the socket of a connection, for `leaseMs`. False while another process
 * has it.
 */
export async function acquireSocket(
  { sql }: LeaseContext,
  { teamId, connectionId, holder, leaseMs }: SocketOwner & { leaseMs: number },
): Promise<boolean> {
  const row = { team_id: teamId, connection_id: connectionId, holder, lease_ms: leaseMs }
  return await withDeadline(upsertLease(sql, row))
}

/** Lets another process have the socket at once. */
export async function releaseSocket({ sql }: LeaseContext, owner: SocketOwner): Promise<void> {
  await withDeadline(deleteLease(sql, owner.teamId, owner.connectionId, owner.holder))
}

/** Stores why the socket cannot be opened, for the page of the connection; null when it is open. */
export async function setSocketProblem(
  { sql }: LeaseContext,
  { teamId, connectionId, holder, problem }: SocketOwner & { problem: string | null },
): Promise<void> {
  await withDeadline(
    updateProblem(sql, { team_id: teamId, connection_id: connectionId, holder }, problem),
  )
}
