import type { ServiceContext } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/database/db.ts'
import { type ConnectionDeps, decryptSettings, secretsOf } from '../connections/index.ts'
import { deleteSecrets, selectRemovedWithSecrets } from './sql.ts'

const perRun = 50

/** The token of a removed connection, which its provider still accepts. */
export interface TokenToRevoke {
  teamId: string
  connectionId: string
  adapter: string
  removedAt: Date
  /** The settings with the token, and the secret part of the address; null when they cannot be decrypted. */
  secrets: { settings: Record<string, unknown>; webhookToken: string } | null
  /** Whether the app was added to the workspace again, which can have the same token. */
  isInUse: boolean
}

/** The tokens of removed connections, the oldest first: up to 50. */
export async function listTokensToRevoke({
  sql,
  encryption,
}: Pick<ConnectionDeps, 'sql' | 'encryption'>): Promise<TokenToRevoke[]> {
  const rows = await withDeadline(selectRemovedWithSecrets(sql, perRun))
  const read = ({ id, settings, encrypted }: (typeof rows)[number]) => {
    try {
      const decrypted = decryptSettings(encryption, id, encrypted)
      return { settings: { ...settings, ...secretsOf(decrypted) }, webhookToken: decrypted.hook }
    } catch {
      return null
    }
  }
  return rows.map((row) => ({
    teamId: row.team_id,
    connectionId: row.id,
    adapter: row.adapter,
    removedAt: row.removed_at,
    secrets: read(row),
    isInUse: row.is_in_use,
  }))
}

/** Deletes the secrets of a removed connection. */
export async function deleteRemovedSecrets(
  { sql }: Pick<ServiceContext, 'sql'> & { sql: Sql },
  { teamId, connectionId }: Pick<TokenToRevoke, 'teamId' | 'connectionId'>,
): Promise<void> {
  await withDeadline(deleteSecrets(sql, teamId, connectionId))
}
