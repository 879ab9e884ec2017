import { withDeadline } from '../../lib/database/db.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  findDecryptedConnection,
} from '../connections/index.ts'
import { selectInstallations } from './sql.ts'

/** The connections to these workspaces, in their order; with `isOfAny` all, and otherwise the first. */
export async function findInstalledConnections(
  deps: ConnectionDeps,
  {
    adapter,
    workspaceIds,
    isOfAny,
  }: { adapter: string; workspaceIds: readonly string[]; isOfAny: boolean },
): Promise<DecryptedConnection[]> {
  const rows = await withDeadline(selectInstallations(deps.sql, adapter, workspaceIds))
  const byWorkspace = new Map(rows.map((row) => [row.workspace_id, row]))
  const found = workspaceIds.flatMap((id) => byWorkspace.get(id) ?? [])
  const connections: DecryptedConnection[] = []
  for (const { team_id, connection_id } of isOfAny ? found : found.slice(0, 1)) {
    const connection = await findDecryptedConnection(deps, team_id, connection_id)
    if (connection) connections.push(connection)
  }
  return connections
}
