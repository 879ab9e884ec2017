import { type ServiceContext, systemContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  type DisconnectionReason,
  disconnectConnection,
  findDecryptedConnection,
} from '../connections/index.ts'
import { selectInstallations, selectInstalledAt } from './sql.ts'

/** The connection to the first of these workspaces that has one; null when none has. */
export async function findInstalledConnection(
  deps: ConnectionDeps,
  { adapter, workspaceIds }: { adapter: string; workspaceIds: readonly string[] },
): Promise<DecryptedConnection | null> {
  const rows = await withDeadline(selectInstallations(deps.sql, adapter, workspaceIds))
  const byWorkspace = new Map(rows.map((row) => [row.workspace_id, row]))
  const [found] = workspaceIds.flatMap((id) => byWorkspace.get(id) ?? [])
  return found ? await findDecryptedConnection(deps, found.team_id, found.connection_id) : null
}

/**
 * Stores that the app was removed from a workspace at a moment (whole seconds). A report from before the last
 * installation changes nothing, because reports can be late. Returns whether it was stored.
 */
export async function disconnectAt(
  { sql, now }: Pick<ServiceContext, 'now'> & Pick<ConnectionDeps, 'sql'>,
  { id, teamId }: Pick<DecryptedConnection, 'id' | 'teamId'>,
  { reason, at }: { reason: DisconnectionReason; at: Date },
): Promise<boolean> {
  const installedAt = await withDeadline(selectInstalledAt(sql, teamId, id))
  const secondsOf = (moment: Date) => Math.floor(moment.getTime() / 1000)
  if (installedAt && secondsOf(installedAt) > secondsOf(at)) return false
  await disconnectConnection(systemContext({ sql, now }, teamId), { id, reason, at })
  return true
}
