import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { forgetOfKey } from './bin-sql.ts'
import { deleteUnused, type WithdrawnRow } from './sql.ts'
import {
  type HeldBlock,
  rewriteGathered,
  selectOwnForUpdate,
  selectUnsentNewsletterWith,
} from './usage-sql.ts'

/** A block that a connection made. */
export interface OwnBlock extends HeldBlock {
  /** In no newsletter, neither sent nor being made. */
  unused: boolean
}

/**
 * The block that a key made, by its id or under its external id, or null. Until the transaction ends
 * nobody else can change it, or put it into a newsletter.
 */
export async function holdOwnBlock(
  tx: Tx,
  teamId: string,
  keyId: string,
  by: { id: string } | { externalId: string },
): Promise<OwnBlock | null> {
  const row = await selectOwnForUpdate(tx, teamId, keyId, by)
  if (!row) return null
  const newsletter = await selectUnsentNewsletterWith(tx, teamId, row.id)
  return { ...row, unused: row.status !== 'used' && !newsletter }
}

/** Rewrites a held block that gathers several things: it has no one source or author any more. */
export async function rewriteOwnBlock(
  tx: Tx,
  now: Now,
  teamId: string,
  id: string,
  text: { title: string; body: string },
): Promise<void> {
  await rewriteGathered(tx, teamId, id, text, now())
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
  await forgetOfKey(tx, teamId, keyId, externalIds)
  return await deleteUnused(tx, teamId, keyId, externalIds)
}
