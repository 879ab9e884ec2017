import type { IngestItem } from '../../contract/ingest.ts'
import type { Now } from '../../lib/clock.ts'
import type { Sql, Tx } from '../../lib/db.ts'
import { holdOwnBlock, type OwnBlock, updateBlock, withdrawBlocks } from '../blocks/index.ts'
import { forgetAnswersAbout } from '../idempotency/index.ts'
import { selectTold, type ToldRow, upsertTold } from './sql.ts'
import { changeNews, type NamedBlock, type Teller } from './told.ts'

/** What is told, as ingest takes it, and the moment it speaks of. */
export interface Told {
  externalId: string
  text: Pick<IngestItem, 'title' | 'body' | 'publish_after'>
  /** By the provider's clock, where it tells the time. */
  asOf: Date
}

export type Retold =
  /** The block is as it was told, or as far as people let it; `reason` says what stayed. */
  | { kind: 'told'; block: NamedBlock; reason?: string }
  /** There is no block to bring up to date. */
  | { kind: 'missing' }
  /** A later event took it back. */
  | { kind: 'withdrawn' }

/**
 * Brings the block that a connection made of something up to date, once for each delivery and never
 * with older news than it holds: its hold (`publish_after`) while no newsletter has it, its text only
 * while it is a draft that nobody has edited. With `made`, this very delivery has just made the block.
 */
export async function retell(
  sql: Sql,
  now: Now,
  teller: Teller,
  told: Told,
  made: boolean,
): Promise<Retold> {
  return await changeNews(sql, teller, (tx) => retellWithin(tx, now, teller, told, made))
}

async function retellWithin(
  tx: Tx,
  now: Now,
  teller: Teller,
  told: Told,
  made: boolean,
): Promise<Retold> {
  const { teamId, connectionId, keyId } = teller
  const last = await selectTold(tx, teamId, connectionId, told.externalId)
  if (last && wasWithdrawnLater(last, teller)) {
    if (made) await withdrawBlocks(tx, teamId, keyId, [told.externalId])
    return { kind: 'withdrawn' }
  }
  const block = await holdOwnBlock(tx, teamId, keyId, { externalId: told.externalId })
  if (!block) return { kind: 'missing' }
  const kept = whyKept(block, told, teller, last)
  if (kept) return { kind: 'told', block, ...kept }
  const lastVersion = made ? 1 : (last?.block_version ?? 1)
  return await bringUpToDate(tx, now, teller, told, block, lastVersion)
}

/** Why a block stays as it is; without a reason when this very delivery has been heeded already. */
function whyKept(
  block: OwnBlock,
  told: Told,
  teller: Teller,
  last: ToldRow | undefined,
): { reason?: string } | undefined {
  if (last && last.block_version !== null && !isNewer(told, teller, last)) {
    if (last.delivery_id === teller.deliveryId) return {}
    return { reason: 'A later event has brought the block up to date already.' }
  }
  return block.unused
    ? undefined
    : { reason: 'A newsletter holds the block, so it stays as it is.' }
}

async function bringUpToDate(
  tx: Tx,
  now: Now,
  teller: Teller,
  { externalId, text, asOf }: Told,
  block: OwnBlock,
  lastVersion: number,
): Promise<Retold> {
  const { teamId, connectionId, deliveryId, heardAt } = teller
  const { title, body, publish_after } = text
  const untouched = block.status === 'draft' && block.version === lastVersion
  // A hold that a person has set is theirs to lift, unless the provider names another day.
  const change = untouched
    ? { title, body, publish_after: publish_after ?? null }
    : { publish_after: publish_after ?? undefined }
  const { version, ...changed } = await updateBlock(tx, now, teamId, block.id, change, null)
  await upsertTold(tx, {
    ...{ connection_id: connectionId, external_id: externalId, team_id: teamId },
    ...{ delivery_id: deliveryId, heard_at: heardAt, as_of: asOf },
    block_version: untouched ? version : lastVersion,
  })
  const named = { id: block.id, title: changed.title }
  if (untouched) return { kind: 'told', block: named }
  const reason = 'Somebody has edited or approved the block, so its text stays as it is.'
  return { kind: 'told', block: named, reason }
}

/** A withdrawal and news are told apart by when they came: a withdrawal has no time of its own. */
const wasWithdrawnLater = (last: ToldRow, teller: Teller) =>
  last.block_version === null && cameLater(last, teller)

const cameLater = (last: ToldRow, { heardAt, deliveryId }: Teller) =>
  isBefore([heardAt, deliveryId], [last.heard_at, last.delivery_id])

const isNewer = ({ asOf }: Told, { deliveryId }: Teller, last: ToldRow) =>
  isBefore([last.as_of, last.delivery_id], [asOf, deliveryId])

const isBefore = ([at, id]: [Date, string], [otherAt, otherId]: [Date, string]) =>
  at < otherAt || (at.getTime() === otherAt.getTime() && id < otherId)

/** A block that was to be taken back, and whether a newsletter keeps it. */
export interface Withdrawn extends NamedBlock {
  externalId: string
  removed: boolean
}

/**
 * Takes back what a connection told under these external ids, as far as no newsletter holds it and
 * no later event has told it again. What an earlier event still tells afterwards makes no block.
 */
export async function withdrawNews(
  sql: Sql,
  teller: Teller,
  externalIds: readonly string[],
): Promise<Withdrawn[]> {
  const { teamId, connectionId, keyId, deliveryId, heardAt } = teller
  return await changeNews(sql, teller, async (tx) => {
    const due: string[] = []
    for (const externalId of new Set(externalIds)) {
      const last = await selectTold(tx, teamId, connectionId, externalId)
      if (last && cameLater(last, teller)) continue
      due.push(externalId)
      await upsertTold(tx, {
        ...{ connection_id: connectionId, external_id: externalId, team_id: teamId },
        ...{ delivery_id: deliveryId, heard_at: heardAt, as_of: last?.as_of ?? heardAt },
        block_version: null,
      })
    }
    const rows = await withdrawBlocks(tx, teamId, keyId, due)
    const gone = rows.filter(({ removed }) => removed).map(({ id }) => id)
    await forgetAnswersAbout(tx, keyId, gone)
    return rows.map(({ external_id: externalId, ...row }) => ({ ...row, externalId }))
  })
}
