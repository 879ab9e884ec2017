import { dayMs } from '../../lib/clock.ts'
import type { KeyContext } from '../../lib/context.ts'
import { findRecentItems, lockConnectionBlock, withdrawBlocks } from '../content-blocks/index.ts'
import { deleteContributors } from '../contributors/index.ts'
import { purgeResponsesAbout } from '../idempotency/index.ts'
import { markWithdrawn } from '../receipts/index.ts'
import { isAfter } from './event-order.ts'
import { selectSyncState, upsertSyncState } from './sql.ts'
import {
  type BlockReference,
  type UpdateContext,
  type UpdateSource,
  withConnectionLock,
} from './update-source.ts'

/** A block that was to be withdrawn, and whether it was removed: a newsletter can contain it. */
export interface WithdrawnBlock extends BlockReference {
  externalId: string
  removed: boolean
}

interface Withdrawal {
  source: UpdateSource
  externalIds: readonly string[]
  /** Blocks that were created earlier stay; null: all are withdrawn. */
  createdAfter: Date | null
}

/**
 * Withdraws the items that a connection sent under these external ids, unless a newsletter contains the
 * block or a later event has sent the item again. An earlier event that is processed or received
 * afterwards creates no block. Throws `revoked_key`.
 */
export async function applyWithdrawal(
  ctx: KeyContext,
  { source, externalIds, createdAfter }: Withdrawal,
): Promise<WithdrawnBlock[]> {
  const { keyId } = ctx.actor
  return await withConnectionLock(ctx, source, async (txCtx) => {
    const recent = createdAfter
      ? await findRecentItems(txCtx, { keyId, externalIds, createdAfter })
      : externalIds
    const due = await recordWithdrawals(txCtx, source, [...new Set(recent)])
    const rows = await withdrawBlocks(txCtx, { keyId, externalIds: due })
    const resourceIds = rows.filter(({ removed }) => removed).map(({ id }) => id)
    await purgeResponsesAbout(txCtx, { keyId, resourceIds })
    await deleteContributors(txCtx, { blockIds: resourceIds })
    await markWithdrawn(txCtx, { blockIds: resourceIds })
    return rows.map(({ external_id: externalId, ...row }) => ({ ...row, externalId }))
  })
}

/**
 * How long an item that was withdrawn before it was received can still be received: providers repeat
 * requests for up to a day.
 */
const lateItemMs = dayMs

/** Stores which items are withdrawn, and returns those that no later event has sent again. */
async function recordWithdrawals(
  ctx: UpdateContext,
  source: UpdateSource,
  externalIds: readonly string[],
): Promise<string[]> {
  const { sql, actor } = ctx
  const { teamId, keyId } = actor
  const { connectionId, deliveryId, receivedAt } = source
  const due: string[] = []
  for (const externalId of externalIds) {
    const last = await selectSyncState(sql, teamId, connectionId, externalId)
    if (last && isAfter(last, source)) continue
    due.push(externalId)
    const isKnown = last !== undefined || (await lockConnectionBlock(ctx, { keyId, externalId }))
    const lateUntil = new Date(receivedAt.getTime() + (isKnown ? 0 : lateItemMs))
    await upsertSyncState(sql, {
      connection_id: connectionId,
      external_id: externalId,
      team_id: teamId,
      delivery_id: deliveryId,
      received_at: receivedAt,
      block_version: null,
      source_updated_at: last?.source_updated_at ?? lateUntil,
    })
  }
  return due
}
