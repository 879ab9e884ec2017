import type { TxContext } from '../../lib/context.ts'
import { recordBlockVersions, saveFirstBlockVersions } from '../versions/index.ts'
import { deleteUnused, selectCreatedAfter, type WithdrawnRow } from './sql.ts'
import { deleteTrashOfKey } from './trash/sql.ts'
import {
  type BlockIdentity,
  type LockedBlock,
  lockBlockOfKey,
  selectUnsentNewsletterWith,
  updateRollupText,
} from './usage-sql.ts'

/** A block that a connection created. */
export interface ConnectionBlock extends LockedBlock {
  /** True when no newsletter contains it, neither a sent nor an unsent one. */
  unused: boolean
}

/**
 * Locks a block that a key created, by its id or its external id, and returns it; null when there is
 * none. Until the transaction ends nobody else can change it or add it to a newsletter.
 */
export async function lockConnectionBlock(
  { sql, actor: { teamId } }: TxContext,
  { keyId, ...by }: { keyId: string } & BlockIdentity,
): Promise<ConnectionBlock | null> {
  const row = await lockBlockOfKey(sql, teamId, keyId, by)
  if (!row) return null
  const newsletter = await selectUnsentNewsletterWith(sql, teamId, row.id)
  return { ...row, unused: row.status !== 'used' && !newsletter }
}

/** Replaces the text of a locked rollup block; a rollup has no single source or author. */
export async function updateRollupBlock(
  ctx: TxContext,
  input: { id: string; title: string; body: string },
): Promise<void> {
  const { sql, now, actor } = ctx
  await saveFirstBlockVersions(ctx, [input.id])
  await updateRollupText(sql, actor.teamId, { ...input, at: now() })
  await recordBlockVersions(ctx, { ids: [input.id] })
}

/** The external ids among these whose blocks a key created after a moment. */
export async function findRecentItems(
  { sql, actor: { teamId } }: TxContext,
  {
    keyId,
    externalIds,
    createdAfter,
  }: { keyId: string; externalIds: readonly string[]; createdAfter: Date },
): Promise<string[]> {
  return await selectCreatedAfter(sql, teamId, keyId, { externalIds, createdAfter })
}

/**
 * Withdraws the blocks that a key created under these external ids. Returns each block that there was,
 * and whether it was removed: blocks that a newsletter contains are kept.
 */
export async function withdrawBlocks(
  { sql, actor: { teamId } }: TxContext,
  { keyId, externalIds }: { keyId: string; externalIds: readonly string[] },
): Promise<WithdrawnRow[]> {
  await deleteTrashOfKey(sql, teamId, keyId, externalIds)
  return await deleteUnused(sql, teamId, keyId, externalIds)
}
