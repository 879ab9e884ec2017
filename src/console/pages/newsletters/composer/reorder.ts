import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  addBlock,
  arrangeNewsletter,
  composeNewsletter,
  getNewsletter,
  removeBlock,
  removeElement,
  reorderBlocks,
} from '../../../../features/newsletters/index.ts'
import { AppError, notFound } from '../../../../lib/errors.ts'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { once } from '../../../http/forms/once.ts'
import { redirectWithResult } from '../redirect-with-result.ts'
import { arrangeBySection, moveBlock } from './arranged-blocks.ts'
import { composerPath } from './changes.ts'

const text = v.optional(v.string(), '')

const AddForm = v.object({ add: text, before: v.optional(v.string()) })

async function add(context: FormRequest<typeof AddForm>): Promise<Response> {
  const { t } = context
  const { add: content_block_id, before } = context.body
  const id = context.params['id'] ?? ''
  return await redirectWithResult(context, composerPath(context, 'library'), async () => {
    // The button names no position; a block that is dropped has one.
    const position = before === undefined ? 'in_section' : { before }
    const { block } = await addBlock(context.ctx, { id, content_block_id, position })
    return { text: t('newsletters.added_one', { title: block.content_block_title ?? '' }) }
  })
}

const OrderForm = v.object({ up: text, down: text, remove: text, move: text, before: text })

async function order(context: FormRequest<typeof OrderForm>): Promise<Response> {
  const { up, down, remove, move, before } = context.body
  const blockId = up || down || move
  return await redirectWithResult(context, composerPath(context, blockId || 'blocks'), async () => {
    if (remove) return await removeFromNewsletter(context, remove)
    const step = up ? { up: true as const } : down ? { down: true as const } : { before }
    return await reorder(context, blockId, step)
  })
}

/** Moves a block. When a colleague changes the newsletter at the same moment, the move is repeated in its new order. */
async function reorder(
  context: MemberRequest,
  blockId: string,
  step: Parameters<typeof moveBlock>[2],
  tries = 5,
): Promise<{ text: string }> {
  const { ctx, t } = context
  const id = context.params['id'] ?? ''
  const newsletter = await getNewsletter(context.ctx, id)
  const result = moveBlock(await arrangeBySection(t, ctx, newsletter), blockId, step)
  if (!result) throw notFound('The block')
  const expected = [newsletter.version]
  try {
    if (newsletter.elements.length > 0)
      await arrangeNewsletter(ctx, { id, ids: result.ids, expected })
    else await reorderBlocks(ctx, { id, blockIds: result.ids, expected })
  } catch (error) {
    const isChanged = error instanceof AppError && error.code === 'version_mismatch'
    if (!isChanged || tries === 1) throw error
    return await reorder(context, blockId, step, tries - 1)
  }
  const { title, position, of, section } = result
  return { text: t('newsletters.is_number_of_in', { title, position, of, section }) }
}

async function removeFromNewsletter(context: MemberRequest, newsletterBlockId: string) {
  const { t } = context
  const id = context.params['id'] ?? ''
  const newsletter = await getNewsletter(context.ctx, id)
  if (newsletter.elements.some((one) => one.id === newsletterBlockId)) {
    await removeElement(context.ctx, { id, elementId: newsletterBlockId, expected: null })
    return { text: t('newsletters.removed') }
  }
  const title = newsletter.blocks.find((one) => one.id === newsletterBlockId)?.content_block.title
  await removeBlock(context.ctx, { id, newsletterBlockId, expected: null })
  return { text: t('newsletters.removed_it_stays', { title: title ?? '' }) }
}

async function addReadyBlocks(context: MemberRequest): Promise<Response> {
  const { t } = context
  const id = context.params['id'] ?? ''
  return await redirectWithResult(context, composerPath(context, 'blocks'), async () => {
    const newsletter = await getNewsletter(context.ctx, id)
    const { blocks_count } = await composeNewsletter(context.ctx, { id })
    const addedCount = blocks_count - newsletter.blocks_count
    const nothing = t('newsletters.nothing_was_added_every_ready')
    return {
      text: addedCount === 0 ? nothing : t('newsletters.added_blocks', { count: addedCount }),
    }
  })
}

/** Routes that add, order and remove blocks. */
export const reorderPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id/blocks', once(add), { role: 'editor', body: AddForm })
    .post('/newsletters/:id/order', once(order), { role: 'editor', body: OrderForm })
    .post('/newsletters/:id/compose', once(addReadyBlocks), { role: 'editor' })
