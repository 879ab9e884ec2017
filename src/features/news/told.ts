import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { holdKey } from '../access/index.ts'
import { lockConnection } from './sql.ts'

/** The delivery that has something to say, and on whose behalf. */
export interface Teller {
  teamId: string
  connectionId: string
  keyId: string
  deliveryId: string
  /** When it came; a replay comes when somebody asks for it. */
  heardAt: Date
}

/** A block, to be named to people. */
export interface NamedBlock {
  id: string
  title: string
}

/**
 * Changes news of a connection, one change after the other, so that what is read first still holds
 * when it is written. Throws `revoked_key` once the connection's key is dead.
 */
export async function changeNews<T>(
  sql: Sql,
  teller: Teller,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const result = await withDeadline(
    sql.begin(async (tx) => {
      await lockConnection(tx, teller.teamId, teller.connectionId)
      await holdKey(tx, teller)
      return { value: await work(tx) }
    }),
  )
  return result.value
}
