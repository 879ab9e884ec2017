import { withDeadline } from '../../../lib/database/db.ts'
import { type ConnectionAdapter, usesSocket } from '../settings/parse-settings.ts'
import { selectConnectionsWithSocket, updateUsesSocket } from '../sql.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  decryptedOrNone,
  readPages,
} from './decrypted-connection.ts'

/**
 * The connections of all teams that ask for a socket of one of these adapters. Those that cannot be decrypted
 * are left out. Stores for connections of earlier versions whether they ask for one.
 */
export async function listConnectionsWithSocket(
  { sql, encryption }: ConnectionDeps,
  adapters: readonly Pick<ConnectionAdapter, 'slug' | 'socket'>[],
): Promise<DecryptedConnection[]> {
  const bySlug = new Map(adapters.map((adapter) => [adapter.slug, adapter]))
  const rows = await readPages((after) =>
    selectConnectionsWithSocket(sql, [...bySlug.keys()], after),
  )
  const found: DecryptedConnection[] = []
  for (const row of rows) {
    for (const connection of decryptedOrNone(encryption, row)) {
      const isWanted = usesSocket(bySlug.get(row.adapter) ?? {}, connection.given)
      if (isWanted) found.push(connection)
      if (row.uses_socket === null)
        await withDeadline(updateUsesSocket(sql, row.team_id, row.id, isWanted))
    }
  }
  return found
}
