import { withDeadline } from '../../lib/database/db.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  findDecryptedConnection,
} from '../connections/index.ts'
import { selectInstallations } from './sql.ts'

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
