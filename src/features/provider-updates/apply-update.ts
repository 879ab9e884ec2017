import type { IngestItem } from '../../contract/blocks/ingest.ts'
import type { KeyContext } from '../../lib/context.ts'
import { firstVersion } from '../../lib/versions.ts'
import {
  type ConnectionBlock,
  findRecentItems,
  lockConnectionBlock,
  updateConnectionBlock,
  withdrawBlocks,
} from '../content-blocks/index.ts'
import { deleteContributors } from '../contributors/index.ts'
import { purgeResponsesAbout } from '../idempotency/index.ts'
import { markWithdrawn } from '../receipts/index.ts'
import { type SyncStateRow, selectRollupItems, selectSyncState, upsertSyncState } from './sql.ts'
import {
  type BlockReference,
  type UpdateContext,
  type UpdateSource,
  withConnectionLock,
} from './update-source.ts'

/** A later message of a provider about an item. */
interface ItemUpdate {
  externalId: string
  text: Pick<IngestItem, 'title' | 'body' | 'publish_after'>
  /** The time of the message by the provider's clock. Null without one: then the order of receipt counts. */
  sourceUpdatedAt: Date | null
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

/**
 * How long an item that was withdrawn before it was received can still be received: providers repeat
 * requests for up to a day.
 */
const lateItemMs = 24 * 3_600_000

/**
 * The time by which an update is compared with a withdrawal. Withdrawals have no time of the
 * provider, so the time of receipt counts. An item that was withdrawn before it was received has a
 * time in the future as its state. Until then, an item without its own time is the withdrawn one.
 */
const wasWithdrawnLater = (
  last: SyncStateRow,
  source: UpdateSource,
  { sourceUpdatedAt }: ItemUpdate,
) =>
  last.block_version === null &&
  (isAfter(last, source) ||
    (sourceUpdatedAt === null && source.receivedAt < last.source_updated_at))

const isAfter = (last: SyncStateRow, { receivedAt, deliveryId }: UpdateSource) =>
  isBefore([receivedAt, deliveryId], [last.received_at, last.delivery_id])

const isNewer = (
  { sourceUpdatedAt }: ItemUpdate,
  { deliveryId, receivedAt }: UpdateSource,
  last: SyncStateRow,
) =>
  isBefore([last.source_updated_at, last.delivery_id], [sourceUpdatedAt ?? receivedAt, deliveryId])

const isBefore = ([at, id]: [Date, string], [otherAt, otherId]: [Date, string]) =>
  at < otherAt || (at.getTime() === otherAt.getTime() && id < otherId)

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
