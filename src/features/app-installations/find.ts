import { withDeadline } from '../../lib/database/db.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  findDecryptedConnection,
} from '../connections/index.ts'
import { selectInstallations } from './sql.ts'

interface InstalledConnection {
  workspaceId: string
  connection: DecryptedConnection
}

/** The connections to these workspaces, in their order; with `isOfAny` all, and otherwise the first. */
export async function findInstalledConnections(
  deps: ConnectionDeps,
  {
    adapter,
    workspaceIds,
    isOfAny,
  }: { adapter: string; workspaceIds: readonly string[]; isOfAny: boolean },
): Promise<InstalledConnection[]> {
  const rows = await withDeadline(selectInstallations(deps.sql, adapter, workspaceIds))
  const byWorkspace = new Map(rows.map((row) => [row.workspace_id, row]))
  const found = workspaceIds.flatMap((id) => byWorkspace.get(id) ?? [])
  const installed: InstalledConnection[] = []
  for (const row of isOfAny ? found : found.slice(0, 1)) {
    const connection = await findDecryptedConnection(deps, row.team_id, row.connection_id)
    if (connection) installed.push({ workspaceId: row.workspace_id, connection })
  }
  return installed
}
