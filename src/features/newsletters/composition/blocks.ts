import { maxNewsletterBlocks } from '../../../contract/newsletters/input.ts'
import type { NewsletterBlock } from '../../../contract/newsletters/newsletter.ts'
import { type Context, inTransaction, memberIdOf, type TxContext } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { AppError, invalidField, notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import type { ExpectedVersions } from '../../../lib/versions.ts'
import { recordAudit } from '../../audit-log/index.ts'
import { saveVersion } from '../history/save-version.ts'
import { derivedStatus } from '../sending/transitions.ts'
import { type NewsletterRow, updateNewsletterRow } from '../sql.ts'
import { lockEditableNewsletter } from '../update.ts'
import { arrangeInSections } from './arrange-in-sections.ts'
import {
  deleteNewsletterBlock,
  insertNewsletterBlocks,
  lockAvailableBlock,
  type NewsletterBlockRow,
  selectNewsletterBlocks,
  shiftPositions,
  updatePositions,
} from './blocks-sql.ts'
import { selectElements } from './elements-sql.ts'
import { shiftElements } from './shift-elements.ts'

function toNewsletterBlock({ id, position, content_block }: NewsletterBlockRow): NewsletterBlock {
  return {
    id,
    position,
    content_block_id: content_block.id,
    content_block_title: content_block.title,
  }
}

/** Where a block is added: at a position counted from 1, before a block or an element, or in its section of the template. */
type NewPosition = number | { before: string } | 'in_section'

/**
 * Adds a block to a newsletter, at the end when nothing says where, or when the newsletter does not have the block or
 * the element that it is added before any more. Returns it with the newsletter's version. Throws `not_found` for the
 * newsletter or the content block, `newsletter_sent`, `block_in_use` when the newsletter contains it already,
 * `validation_failed` when the newsletter is full.
 */
export async function addBlock(
  ctx: Context,
  {
    id,
    content_block_id,
    position = maxNewsletterBlocks,
  }: { id: string; content_block_id: string; position?: NewPosition | undefined },
): Promise<{ block: NewsletterBlock; version: number }> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected: null })
    const available = await lockAvailableBlock(sql, teamId, content_block_id)
    if (!available) throw notFound('The content block')
    const blocks = await selectNewsletterBlocks(sql, teamId, id)
    requireAddable(blocks, content_block_id)
    const at = txCtx.now()
    const wanted = await getPosition(txCtx, { id, blocks, position })
    const added = {
      id: newId('nb', at),
      content_block_id,
      position: Math.min(wanted, blocks.length + 1),
    }
    await shiftPositions(sql, teamId, { newsletterId: id, from: added.position, by: 1 })
    const before = typeof position === 'object' ? position.before : ''
    await shiftElements(txCtx, { id, position: added.position, by: 1, before })
    await insertNewsletterBlocks(sql, teamId, id, [added])
    if (position === 'in_section') {
      const ids = await arrangeInSections(txCtx, { newsletter, added: 1 })
      added.position = ids.indexOf(added.id) + 1
    }
    await saveBlocksChange(txCtx, { newsletter: started(newsletter), at })
    const block = { ...added, content_block_title: available.title }
    return { block, version: newsletter.version + 1 }
  })
}

/** The position at which a block is added; one past the end means the end. */
async function getPosition(
  { sql, actor: { teamId } }: TxContext,
  {
    id,
    blocks,
    position,
  }: { id: string; blocks: readonly NewsletterBlockRow[]; position: NewPosition },
): Promise<number> {
  if (typeof position === 'number') return position
  if (position === 'in_section') return maxNewsletterBlocks
  const block = blocks.find((one) => one.id === position.before)
  if (block) return block.position
  const elements = await selectElements(sql, teamId, id)
  const element = elements.find((one) => one.id === position.before)
  return element?.before_position ?? maxNewsletterBlocks
}

function requireAddable(blocks: readonly NewsletterBlockRow[], blockId: string): void {
  const existing = blocks.find(({ content_block }) => content_block.id === blockId)
  if (existing) {
    throw new AppError(
      'block_in_use',
      `The block is already in this newsletter, at position ${existing.position}.`,
      { extra: { newsletter_block_id: existing.id, position: existing.position } },
    )
  }
  if (blocks.length < maxNewsletterBlocks) return
  const message = `a newsletter can contain at most ${maxNewsletterBlocks} blocks`
  throw invalidField('/content_block_id', message, 'too_many')
}

/** Removes a block from a newsletter. Throws `not_found`, `newsletter_sent`, `version_mismatch`. */
export async function removeBlock(
  ctx: Context,
  input: { id: string; newsletterBlockId: string; expected: ExpectedVersions },
): Promise<void> {
  const { id, newsletterBlockId } = input
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const newsletter = await lockEditableNewsletter(txCtx, input)
    const removed = blockOf(await selectNewsletterBlocks(sql, teamId, id), newsletterBlockId)
    await deleteNewsletterBlock(sql, teamId, id, newsletterBlockId)
    await shiftPositions(sql, teamId, { newsletterId: id, from: removed.position, by: -1 })
    await shiftElements(txCtx, { id, position: removed.position, by: -1 })
    await saveBlocksChange(txCtx, { newsletter, at: txCtx.now() })
  })
}

/** Throws `not_found` unless the newsletter contains this block. */
export async function requireNewsletterBlock(
  { sql, actor: { teamId } }: Context,
  { id, newsletterBlockId }: { id: string; newsletterBlockId: string },
): Promise<void> {
  blockOf(await withDeadline(selectNewsletterBlocks(sql, teamId, id)), newsletterBlockId)
}

function blockOf(blocks: readonly NewsletterBlockRow[], id: string): NewsletterBlockRow {
  const block = blocks.find((one) => one.id === id)
  if (!block) throw notFound('The newsletter block')
  return block
}

/**
 * Puts the blocks of a newsletter into a new order and returns them with the newsletter's version.
 * Throws `not_found`, `newsletter_sent`, `version_mismatch`, and `validation_failed` unless `blockIds`
 * name exactly the blocks that it contains.
 */
export async function reorderBlocks(
  ctx: Context,
  input: { id: string; blockIds: readonly string[]; expected: ExpectedVersions },
): Promise<{ blocks: NewsletterBlock[]; version: number }> {
  const { id, blockIds } = input
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const { sql } = txCtx
    const newsletter = await lockEditableNewsletter(txCtx, input)
    const ordered = inOrder(await selectNewsletterBlocks(sql, teamId, id), blockIds)
    const isChange = ordered.some(({ position }, index) => position !== index + 1)
    if (isChange) {
      const ids = ordered.map((block) => block.id)
      await updatePositions(sql, teamId, id, ids)
      await saveBlocksChange(txCtx, { newsletter, at: txCtx.now() })
    }
    return {
      blocks: ordered.map((block, index) => toNewsletterBlock({ ...block, position: index + 1 })),
      version: newsletter.version + (isChange ? 1 : 0),
    }
  })
}

function inOrder(
  blocks: readonly NewsletterBlockRow[],
  ids: readonly string[],
): NewsletterBlockRow[] {
  const named = (wanted: string) =>
    blocks.find(({ id, content_block }) => id === wanted || content_block.id === wanted)
  const found = ids.map(named).filter((block) => block !== undefined)
  const unique = new Set(found)
  if (found.length === ids.length && unique.size === ids.length && ids.length === blocks.length) {
    return found
  }
  throw invalidField(
    '/block_ids',
    `block_ids must name each of the newsletter's ${blocks.length} blocks once, and no other`,
    'not_the_set',
  )
}

/**
 * Stores that a newsletter's blocks changed, as its next version and with the status that fits them;
 * `restored` is the earlier version that it restores.
 */
export async function saveBlocksChange(
  ctx: TxContext,
  { newsletter, at, restored }: { newsletter: NewsletterRow; at: Date; restored?: number },
): Promise<void> {
  const blocks = await selectNewsletterBlocks(ctx.sql, newsletter.team_id, newsletter.id)
  const status = derivedStatus(newsletter, blocks, at)
  await updateNewsletterRow(ctx.sql, {
    ...newsletter,
    status,
    changed_by: memberIdOf(ctx) ?? newsletter.changed_by,
    updated_at: at,
  })
  const action = restored === undefined ? 'newsletter_updated' : 'newsletter_version_restored'
  await recordAudit(ctx, action, newsletter.title)
  await saveVersion(ctx, { ...newsletter, restored })
}

/** A newsletter that gets its first blocks: a draft becomes `in_progress`. */
export const started = (newsletter: NewsletterRow): NewsletterRow =>
  newsletter.status === 'draft' ? { ...newsletter, status: 'in_progress' } : newsletter
