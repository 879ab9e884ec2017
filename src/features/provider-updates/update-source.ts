import { type Sql, type Tx, transaction } from '../../lib/db.ts'
import { requireActiveKeyLock } from '../api-keys/index.ts'
import { lockConnection } from './sql.ts'

/** The delivery that has something to say, and on whose behalf. */
export interface UpdateSource {
  teamId: string
  connectionId: string
  keyId: string
  deliveryId: string
  /** When it came; a replay comes when somebody asks for it. */
  receivedAt: Date
}

/** A block, to be named to people. */
export interface BlockReference {
  id: string
  title: string
}

/**
 * Changes news of a connection, one change after the other, so that what is read first still holds
 * when it is written. Throws `revoked_key` once the connection's key is dead.
 */
export async function withConnectionLock<T>(
  sql: Sql,
  teller: UpdateSource,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await transaction(sql, async (tx) => {
    await lockConnection(tx, teller.teamId, teller.connectionId)
    await requireActiveKeyLock(tx, teller)
    return await work(tx)
  })
}
