import type { Adapter } from '../../integrations/kit/adapter.ts'
import {
  type DecryptedConnection,
  findDecryptedConnection,
  readSettings,
} from '../features/connections/index.ts'
import type { ForwardingDeps } from './deps.ts'

/** A connection with what its adapter needs. */
interface LoadedConnection {
  connection: DecryptedConnection
  adapter: Adapter
  settings: object
}

/** Loads a connection. Returns the reason when it cannot work. */
export async function loadConnection(
  deps: Omit<ForwardingDeps, 'client'>,
  { teamId, connectionId }: Record<'teamId' | 'connectionId', string>,
): Promise<LoadedConnection | string> {
  const connection = await findDecryptedConnection(deps, teamId, connectionId)
  if (!connection) return 'The connection was removed.'
  const adapter = deps.adapters.get(connection.adapter)
  if (!adapter) return `There is no adapter "${connection.adapter}" in this installation.`
  const settings = readSettings(connection, adapter.settings)
  if (!settings) return 'The settings of the connection are not valid any more. Save them again.'
  return { connection, adapter, settings }
}
