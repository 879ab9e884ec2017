import type { IngestItem } from '../../contract/blocks/ingest.ts'
import type { KeyContext } from '../../lib/context.ts'
import { firstVersion } from '../../lib/versions.ts'
import {
  type ConnectionBlock,
  lockConnectionBlock,
  updateConnectionBlock,
  withdrawBlocks,
} from '../content-blocks/index.ts'
import { isNewer, type SourceTime, wasWithdrawnLater } from './event-order.ts'
import { type SyncStateRow, selectRollupItems, selectSyncState, upsertSyncState } from './sql.ts'
import {
  type BlockReference,
  type UpdateContext,
  type UpdateSource,
  withConnectionLock,
} from './update-source.ts'

/** A later message of a provider about an item. */
interface ItemUpdate extends SourceTime {
  externalId: string
  text: Pick<IngestItem, 'title' | 'body' | 'publish_after'>
}

interface UpdateInput {
  source: UpdateSource
  update: ItemUpdate
  /** True when this delivery has just created the block. */
  isNew: boolean
}

export type UpdateResult =
  /**
   * The block is up to date as far as its status and edits allow; `reason` says what was not
   * changed.
   */
  | { kind: 'updated'; block: BlockReference; reason?: string }
  /** There is no block to update. */
  | { kind: 'missing' }
  /** A later event withdrew the item. */
  | { kind: 'withdrawn' }

/**
 * Updates the block that a connection created from an item: once per delivery, and never with an
 * older message than the last one. It changes `publish_after` while no newsletter contains the
 * block, and the text only while the block is a draft that nobody has edited. Throws `revoked_key`.
 */
export async function applyUpdate(ctx: KeyContext, input: UpdateInput): Promise<UpdateResult> {
  return await withConnectionLock(ctx, input.source, (txCtx) => updateLocked(txCtx, input))
}

/** Whether an item that the connection has sent, and not withdrawn since, has a block that people have deleted. */
export async function hasDeletedBlock(
  ctx: KeyContext,
  { source, externalId }: { source: UpdateSource; externalId: string },
): Promise<boolean> {
  return await withConnectionLock(ctx, source, async (txCtx) => {
    const { teamId, keyId } = ctx.actor
    const last = await selectSyncState(txCtx.sql, teamId, source.connectionId, externalId)
    if (last === undefined || last.block_version === null) return false
    return (await lockConnectionBlock(txCtx, { keyId, externalId })) === null
  })
}

async function updateLocked(ctx: UpdateContext, input: UpdateInput): Promise<UpdateResult> {
  const { source, update, isNew } = input
  const { teamId, keyId } = ctx.actor
  const { externalId } = update
  const last = await selectSyncState(ctx.sql, teamId, source.connectionId, externalId)
  if (last && wasWithdrawnLater(last, source, update)) {
    if (isNew) await withdrawBlocks(ctx, { keyId, externalIds: [externalId] })
    return { kind: 'withdrawn' }
  }
  const block = await lockConnectionBlock(ctx, { keyId, externalId })
  if (!block) return { kind: 'missing' }
  const kept = keepReason(block, input, last)
  if (kept) return { kind: 'updated', block, ...kept }
  // A new block has the state of an earlier block that was deleted, until another delivery updates it.
  const isUntouched = isNew && block.version === firstVersion
  const lastVersion = isUntouched ? firstVersion : (last?.block_version ?? firstVersion)
  return await updateText(ctx, input, { ...block, lastVersion })
}

/** The reason why a block stays as it is; undefined when this delivery has updated it already. */
function keepReason(
  block: ConnectionBlock,
  { source, update }: UpdateInput,
  last: SyncStateRow | undefined,
): { reason?: string } | undefined {
  if (last && last.block_version !== null && !isNewer(update, source, last)) {
    if (last.delivery_id === source.deliveryId) return {}
    return { reason: 'A later event has updated the block already.' }
  }
  return block.unused
    ? undefined
    : { reason: 'A newsletter contains the block, so it stays as it is.' }
}

async function updateText(
  ctx: UpdateContext,
  { source, update: { externalId, text, sourceUpdatedAt } }: UpdateInput,
  block: ConnectionBlock & { lastVersion: number },
): Promise<UpdateResult> {
  const { connectionId, deliveryId, receivedAt } = source
  const { title, body, publish_after } = text
  const isUnedited = block.status === 'draft' && block.version === block.lastVersion
  // A date that a person has set stays, unless the provider sends another one.
  const change = isUnedited
    ? { title, body, publish_after: publish_after ?? null }
    : { publish_after: publish_after ?? undefined }
  const updated = await updateConnectionBlock(ctx, { id: block.id, change })
  await upsertSyncState(ctx.sql, {
    connection_id: connectionId,
    external_id: externalId,
    team_id: ctx.actor.teamId,
    delivery_id: deliveryId,
    received_at: receivedAt,
    source_updated_at: sourceUpdatedAt ?? receivedAt,
    block_version: isUnedited ? updated.version : block.lastVersion,
  })
  const named = { id: block.id, title: updated.title }
  if (isUnedited) return { kind: 'updated', block: named }
  const key = { team_id: ctx.actor.teamId, connection_id: connectionId }
  const isRollup = (await selectRollupItems(ctx.sql, key, block.id)).length > 1
  return { kind: 'updated', block: named, reason: isRollup ? unchangedInRollup : edited }
}

const edited = 'Somebody has edited or approved the block, so its text stays as it is.'
/** Why an item that its roll-up contains already is not changed there. */
export const unchangedInRollup = 'The block contains the item already, so its text stays as it is.'
