import { type Context, inTransaction } from '../../lib/context.ts'
import { invalidField } from '../../lib/errors.ts'
import { recordAudit } from '../audit-log/index.ts'
import { getDelivery } from './list.ts'
import { reopenRow } from './sql.ts'
import { type DeliveryDeps, enqueue } from './store.ts'

/**
 * Processes a failed or ignored delivery again, from its stored event. Throws `not_found`, and
 * `validation_failed` when it cannot be replayed.
 */
export async function replayDelivery(
  ctx: Context & Pick<DeliveryDeps, 'queue'>,
  id: string,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const row = await reopenRow(txCtx.sql, teamId, id)
    if (!row) {
      const { status } = await getDelivery(txCtx, id)
      throw invalidField('/status', `this delivery is ${status} and has nothing to replay`)
    }
    await enqueue(txCtx.sql, ctx.queue, { teamId, id, apiKeyId: row.api_key_id })
    const subject = `${row.adapter}, received ${row.received_at.toISOString()}`
    await recordAudit(txCtx, 'delivery_replayed', subject)
  })
}
