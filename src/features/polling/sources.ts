import type { TxContext } from '../../lib/context.ts'
import { deleteSource, upsertDueSource } from './sql.ts'

/** Reads the source of a connection at once and from then on regularly, also one that had ended. */
export const addSource = ({ sql, now, actor }: TxContext, connectionId: string): Promise<void> =>
  upsertDueSource(sql, actor.teamId, connectionId, now())

/** Ends the polls of a connection, and deletes what was seen. */
export const removeSource = ({ sql, actor }: TxContext, connectionId: string): Promise<void> =>
  deleteSource(sql, actor.teamId, connectionId)
