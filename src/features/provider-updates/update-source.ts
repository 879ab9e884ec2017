import { type Sql, type Tx, transaction } from '../../lib/db.ts'
import { requireActiveKeyLock } from '../api-keys/index.ts'
import { lockConnection } from './sql.ts'

/** The delivery that makes an update, with its connection. */
export interface UpdateSource {
  teamId: string
  connectionId: string
  keyId: string
  deliveryId: string
  /** When the delivery was received; for a replay, when a person requested it. */
  receivedAt: Date
}

/** A block in a message to people. */
export interface BlockReference {
  id: string
  title: string
}

/**
 * Runs updates of a connection one after the other, so that what was read is still true when it is
 * written. Throws `revoked_key` when the key of the connection is revoked.
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
