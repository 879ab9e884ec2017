import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { deleteUnused, type WithdrawnRow } from './sql.ts'
import { purgeTrashOfKey } from './trash-sql.ts'
import {
  type LockedBlock,
  lockBlockOfKey,
  selectUnsentNewsletterWith,
  updateRollupText,
} from './usage-sql.ts'

/** A block that a connection made. */
export interface ConnectionBlock extends LockedBlock {
  /** In no newsletter, neither sent nor being made. */
  unused: boolean
}

/**
 * The block that a key made, by its id or under its external id, or null. Until the transaction ends
 * nobody else can change it, or put it into a newsletter.
 */
export async function lockConnectionBlock(
  tx: Tx,
  teamId: string,
  keyId: string,
  by: { id: string } | { externalId: string },
): Promise<ConnectionBlock | null> {
  const row = await lockBlockOfKey(tx, teamId, keyId, by)
  if (!row) return null
  const newsletter = await selectUnsentNewsletterWith(tx, teamId, row.id)
  return { ...row, unused: row.status !== 'used' && !newsletter }
}

/** Rewrites a held block that gathers several things: it has no one source or author any more. */
export async function updateRollupBlock(
  tx: Tx,
  now: Now,
  teamId: string,
  id: string,
  text: { title: string; body: string },
): Promise<void> {
  await updateRollupText(tx, teamId, id, text, now())
}

/**
 * Takes back what a key put into the library under these external ids. Gives each block there was,
 * and whether it went: those that a newsletter holds stay.
 */
export async function withdrawBlocks(
  tx: Tx,
  teamId: string,
  keyId: string,
  externalIds: readonly string[],
): Promise<WithdrawnRow[]> {
  await purgeTrashOfKey(tx, teamId, keyId, externalIds)
  return await deleteUnused(tx, teamId, keyId, externalIds)
}
