import { AsyncLocalStorage } from 'node:async_hooks'
import { inTransaction, type ServiceContext, type TxContext } from '../../../lib/context.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'

const open = new AsyncLocalStorage<Tx>()

/** The transaction that better-auth works in at the moment, or the pool. */
export const currentSql = (sql: Sql): Sql | Tx => open.getStore() ?? sql

/**
 * Runs `work` in one transaction, in which its calls of better-auth run too: a change of an account and its audit
 * log entries are stored together or not at all.
 */
export async function inAuthTransaction<Base extends ServiceContext, Result>(
  ctx: Base,
  work: (ctx: TxContext<Base>) => Promise<Result>,
): Promise<Result> {
  return await inTransaction(ctx, (txCtx) => open.run(txCtx.sql, () => work(txCtx)))
}
