import type { IngestItem } from '../../contract/ingest.ts'
import type { Now } from '../../lib/clock.ts'
import type { Sql, Tx } from '../../lib/db.ts'
import {
  type ConnectionBlock,
  lockConnectionBlock,
  updateBlock,
  withdrawBlocks,
} from '../content-blocks/index.ts'
import { purgeResponsesAbout } from '../idempotency/index.ts'
import { type SyncStateRow, selectSyncState, upsertSyncState } from './sql.ts'
import { type BlockReference, type UpdateSource, withConnectionLock } from './update-source.ts'

/** An update of an item, with the time to which it refers. */
export interface ItemUpdate {
  externalId: string
  text: Pick<IngestItem, 'title' | 'body' | 'publish_after'>
  /** The time of the change according to the provider, if it sends one. */
  asOf: Date
}

export type UpdateResult =
  /** The block was updated as far as people's edits allow; `reason` says what was not changed. */
  | { kind: 'told'; block: BlockReference; reason?: string }
  /** There is no block to update. */
  | { kind: 'missing' }
  /** A later event has withdrawn the item. */
  | { kind: 'withdrawn' }

/**
 * Updates the block of an item, once for each delivery and never with an older state:
 * `publish_after` while the block is in no newsletter, the text only while it is a draft that
 * nobody has edited. `made` says that this delivery has just created the block.
 */
export async function applyUpdate(
  sql: Sql,
  now: Now,
  teller: UpdateSource,
  told: ItemUpdate,
  made: boolean,
): Promise<UpdateResult> {
  return await withConnectionLock(sql, teller, (tx) =>
    applyUpdateInTransaction(tx, now, teller, told, made),
  )
}

async function applyUpdateInTransaction(
  tx: Tx,
  now: Now,
  teller: UpdateSource,
  told: ItemUpdate,
  made: boolean,
): Promise<UpdateResult> {
  const { teamId, connectionId, keyId } = teller
  const last = await selectSyncState(tx, teamId, connectionId, told.externalId)
  if (last && wasWithdrawnLater(last, teller)) {
    if (made) await withdrawBlocks(tx, teamId, keyId, [told.externalId])
    return { kind: 'withdrawn' }
  }
  const block = await lockConnectionBlock(tx, teamId, keyId, { externalId: told.externalId })
  if (!block) return { kind: 'missing' }
  const kept = keepReason(block, told, teller, last)
  if (kept) return { kind: 'told', block, ...kept }
  const lastVersion = made ? 1 : (last?.block_version ?? 1)
  return await updateText(tx, now, teller, told, block, lastVersion)
}

/** Why a block is not changed. There is no reason text when this delivery was already applied. */
function keepReason(
  block: ConnectionBlock,
  told: ItemUpdate,
  teller: UpdateSource,
  last: SyncStateRow | undefined,
): { reason?: string } | undefined {
  if (last && last.block_version !== null && !isNewer(told, teller, last)) {
    if (last.delivery_id === teller.deliveryId) return {}
    return { reason: 'A later event has brought the block up to date already.' }
  }
  return block.unused
    ? undefined
    : { reason: 'A newsletter holds the block, so it stays as it is.' }
}

async function updateText(
  tx: Tx,
  now: Now,
  teller: UpdateSource,
  { externalId, text, asOf }: ItemUpdate,
  block: ConnectionBlock,
  lastVersion: number,
): Promise<UpdateResult> {
  const { teamId, connectionId, deliveryId, receivedAt: heardAt } = teller
  const { title, body, publish_after } = text
  const untouched = block.status === 'draft' && block.version === lastVersion
  // A `publish_after` that a person has set is kept, unless the provider sends another date.
  const change = untouched
    ? { title, body, publish_after: publish_after ?? null }
    : { publish_after: publish_after ?? undefined }
  const { version, ...changed } = await updateBlock(tx, now, teamId, block.id, change, null)
  await upsertSyncState(tx, {
    ...{ connection_id: connectionId, external_id: externalId, team_id: teamId },
    ...{ delivery_id: deliveryId, received_at: heardAt, source_updated_at: asOf },
    block_version: untouched ? version : lastVersion,
  })
  const named = { id: block.id, title: changed.title }
  if (untouched) return { kind: 'told', block: named }
  const reason = 'Somebody has edited or approved the block, so its text stays as it is.'
  return { kind: 'told', block: named, reason }
}

/**
 * Withdrawals and items are ordered by the time at which they were received, because a withdrawal
 * has no time of its own.
 */
const wasWithdrawnLater = (last: SyncStateRow, teller: UpdateSource) =>
  last.block_version === null && cameLater(last, teller)

const cameLater = (last: SyncStateRow, { receivedAt: heardAt, deliveryId }: UpdateSource) =>
  isBefore([heardAt, deliveryId], [last.received_at, last.delivery_id])

const isNewer = ({ asOf }: ItemUpdate, { deliveryId }: UpdateSource, last: SyncStateRow) =>
  isBefore([last.source_updated_at, last.delivery_id], [asOf, deliveryId])

const isBefore = ([at, id]: [Date, string], [otherAt, otherId]: [Date, string]) =>
  at < otherAt || (at.getTime() === otherAt.getTime() && id < otherId)

/** A block that was to be withdrawn, and whether it was removed or is in a newsletter. */
export interface WithdrawnBlock extends BlockReference {
  externalId: string
  removed: boolean
}

/**
 * Removes the blocks of a connection with these external ids that are in no newsletter and that no
 * later event has created again. An earlier event creates no block afterwards.
 */
export async function applyWithdrawal(
  sql: Sql,
  teller: UpdateSource,
  externalIds: readonly string[],
): Promise<WithdrawnBlock[]> {
  const { teamId, connectionId, keyId, deliveryId, receivedAt: heardAt } = teller
  return await withConnectionLock(sql, teller, async (tx) => {
    const due: string[] = []
    for (const externalId of new Set(externalIds)) {
      const last = await selectSyncState(tx, teamId, connectionId, externalId)
      if (last && cameLater(last, teller)) continue
      due.push(externalId)
      await upsertSyncState(tx, {
        ...{ connection_id: connectionId, external_id: externalId, team_id: teamId },
        ...{
          delivery_id: deliveryId,
          received_at: heardAt,
          source_updated_at: last?.source_updated_at ?? heardAt,
        },
        block_version: null,
      })
    }
    const rows = await withdrawBlocks(tx, teamId, keyId, due)
    const gone = rows.filter(({ removed }) => removed).map(({ id }) => id)
    await purgeResponsesAbout(tx, keyId, gone)
    return rows.map(({ external_id: externalId, ...row }) => ({ ...row, externalId }))
  })
}
