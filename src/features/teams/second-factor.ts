import { type Context, inTransaction } from '../../lib/context.ts'
import { recordAudit } from '../audit-log/index.ts'
import { updateRequiresSecondFactor } from './sql.ts'

/** Stores whether the actor's team requires a second factor of its members. */
export async function setSecondFactorRequired(ctx: Context, required: boolean): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    await updateRequiresSecondFactor(txCtx.sql, txCtx.actor.teamId, required)
    await recordAudit(txCtx, required ? 'second_factor_required' : 'second_factor_optional')
  })
}
