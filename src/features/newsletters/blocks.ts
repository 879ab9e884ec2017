import type { NewsletterBlock } from '../../contract/newsletter.ts'
import { type BlockPlacement, maxNewsletterBlocks } from '../../contract/newsletter-input.ts'
import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { AppError, invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { ExpectedVersions } from '../../lib/versions.ts'
import {
  deleteNewsletterBlock,
  insertNewsletterBlocks,
  lockAvailableBlock,
  type NewsletterBlockRow,
  selectNewsletterBlocks,
  shiftPositions,
  updatePositions,
} from './blocks-sql.ts'
import { type NewsletterRow, updateNewsletterRow } from './sql.ts'
import { derivedStatus } from './transitions.ts'
import { lockEditableNewsletter } from './update.ts'

function toNewsletterBlock({ id, position, content_block }: NewsletterBlockRow): NewsletterBlock {
  return {
    id,
    position,
    content_block_id: content_block.id,
    content_block_title: content_block.title,
  }
}

/**
 * Puts a block into a newsletter: at a position counted from 1, or at the end. Throws `not_found` for
 * either, `newsletter_sent`, `block_in_use` when it stands there already, `validation_failed` when
 * the newsletter is full.
 */
export async function addBlock(
  tx: Tx,
  now: Now,
  teamId: string,
  newsletterId: string,
  { content_block_id, position = maxNewsletterBlocks }: BlockPlacement,
): Promise<NewsletterBlock> {
  const newsletter = await lockEditableNewsletter(tx, teamId, newsletterId, null)
  const block = await lockAvailableBlock(tx, teamId, content_block_id)
  if (!block) throw notFound('The content block')
  const places = await selectNewsletterBlocks(tx, teamId, newsletterId)
  requireNewAmong(places, content_block_id)
  if (places.length >= maxNewsletterBlocks) {
    const message = `a newsletter holds at most ${maxNewsletterBlocks} blocks`
    throw invalidField('/content_block_id', message, 'too_many')
  }
  const at = now()
  const place = {
    id: newId('nb', at),
    content_block_id,
    position: Math.min(position, places.length + 1),
  }
  await shiftPositions(tx, teamId, newsletterId, place.position, 1)
  await insertNewsletterBlocks(tx, teamId, newsletterId, [place])
  await saveBlocksChange(tx, started(newsletter), at)
  return { ...place, content_block_title: block.title }
}

function requireNewAmong(places: readonly NewsletterBlockRow[], blockId: string): void {
  const there = places.find(({ content_block }) => content_block.id === blockId)
  if (!there) return
  throw new AppError(
    'block_in_use',
    `The block stands in this newsletter already, at position ${there.position}.`,
    { extra: { newsletter_block_id: there.id, position: there.position } },
  )
}

/** Takes a block out of a newsletter. Throws `not_found`, `newsletter_sent`, `version_mismatch`. */
export async function removeBlock(
  tx: Tx,
  now: Now,
  teamId: string,
  newsletterId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<void> {
  const newsletter = await lockEditableNewsletter(tx, teamId, newsletterId, expected)
  const places = await selectNewsletterBlocks(tx, teamId, newsletterId)
  const gone = places.find((place) => place.id === id)
  if (!gone) throw notFound('The newsletter block')
  await deleteNewsletterBlock(tx, teamId, newsletterId, id)
  await shiftPositions(tx, teamId, newsletterId, gone.position, -1)
  await saveBlocksChange(tx, newsletter, now())
}

/**
 * Puts the blocks of a newsletter into a new order and gives them with the newsletter's version. Throws
 * `not_found`, `newsletter_sent`, `version_mismatch`, and `validation_failed` unless `ids` are exactly
 * the blocks it has.
 */
export async function reorderBlocks(
  tx: Tx,
  now: Now,
  teamId: string,
  newsletterId: string,
  ids: readonly string[],
  expected: ExpectedVersions,
): Promise<{ blocks: NewsletterBlock[]; version: number }> {
  const newsletter = await lockEditableNewsletter(tx, teamId, newsletterId, expected)
  const places = await selectNewsletterBlocks(tx, teamId, newsletterId)
  const wanted = inOrder(places, ids)
  const moved = wanted.filter(({ position }, at) => position !== at + 1)
  if (moved.length > 0) {
    await updatePositions(
      tx,
      teamId,
      newsletterId,
      wanted.map(({ id }) => id),
    )
    await saveBlocksChange(tx, newsletter, now())
  }
  return {
    blocks: wanted.map((place, at) => toNewsletterBlock({ ...place, position: at + 1 })),
    version: newsletter.version + (moved.length > 0 ? 1 : 0),
  }
}

function inOrder(
  places: readonly NewsletterBlockRow[],
  ids: readonly string[],
): NewsletterBlockRow[] {
  const named = (wanted: string) =>
    places.find(({ id, content_block }) => id === wanted || content_block.id === wanted)
  const found = ids.map(named).filter((place) => place !== undefined)
  const unique = new Set(found)
  if (found.length === ids.length && unique.size === ids.length && ids.length === places.length) {
    return found
  }
  throw invalidField(
    '/block_ids',
    `block_ids must name each of the newsletter's ${places.length} blocks once, and no other`,
    'not_the_set',
  )
}

/** Stores that a newsletter's blocks changed, as its next version and in the state that fits them. */
export async function saveBlocksChange(tx: Tx, newsletter: NewsletterRow, at: Date): Promise<void> {
  const places = await selectNewsletterBlocks(tx, newsletter.team_id, newsletter.id)
  const status = derivedStatus(newsletter, places, at)
  await updateNewsletterRow(tx, { ...newsletter, status, updated_at: at })
}

/** A newsletter that gets its first blocks: work on it has begun. */
export const started = (newsletter: NewsletterRow): NewsletterRow =>
  newsletter.status === 'draft' ? { ...newsletter, status: 'in_progress' } : newsletter
