import { type Context, inTransaction } from '../../lib/context.ts'
import { recordAudit } from '../audit-log/index.ts'
import { updateFirstStepsDone } from './sql.ts'

/** Hides the first steps of the actor's team. */
export async function hideFirstSteps(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    await updateFirstStepsDone(txCtx.sql, txCtx.actor.teamId, txCtx.now())
    await recordAudit(txCtx, 'first_steps_hidden')
  })
}
