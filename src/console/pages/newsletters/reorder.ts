import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  addBlock,
  composeNewsletter,
  getNewsletter,
  removeBlock,
  reorderBlocks,
} from '../../../features/newsletters/index.ts'
import { transaction } from '../../../lib/db.ts'
import { notFound } from '../../../lib/errors.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { pluralize } from '../../pluralize.ts'
import { composerPath } from './changes.ts'
import { arrange, moved } from './placed-blocks.ts'
import { redirectWithResult } from './redirect-with-result.ts'

const text = v.optional(v.string(), '')

const AddForm = v.object({ add: text, before: text })

async function add(context: FormRequest<typeof AddForm>): Promise<Response> {
  const { add: content_block_id, before } = context.body
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  return await redirectWithResult(context, composerPath(context, 'shelf'), async () => {
    const { newsletter } = await getNewsletter(sql, context.teamId, id)
    const position = newsletter.blocks.find((place) => place.id === before)?.position
    const { content_block_title } = await transaction(sql, (tx) =>
      addBlock(tx, now, context.teamId, id, {
        content_block_id,
        ...(position && { position }),
      }),
    )
    return { text: `Added “${content_block_title}”.` }
  })
}

const OrderForm = v.object({ up: text, down: text, remove: text, move: text, before: text })

async function order(context: FormRequest<typeof OrderForm>): Promise<Response> {
  const { up, down, remove, move, before } = context.body
  const place = up || down || move
  return await redirectWithResult(context, composerPath(context, place || 'issue'), async () => {
    if (remove) return await takeOut(context, remove)
    const step = up ? { up: true as const } : down ? { down: true as const } : { before }
    return await reorder(context, place, step)
  })
}

async function reorder(context: MemberRequest, place: string, step: Parameters<typeof moved>[2]) {
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  const { newsletter } = await getNewsletter(sql, context.teamId, id)
  const wanted = moved(await arrange(sql, context.teamId, newsletter), place, step)
  if (!wanted) throw notFound('The block')
  await transaction(sql, (tx) =>
    reorderBlocks(tx, now, context.teamId, id, wanted.ids, [newsletter.version]),
  )
  const { title, place: at, of, section } = wanted
  return { text: `“${title}” is number ${at} of ${of} in ${section}.` }
}

async function takeOut(context: MemberRequest, place: string) {
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  const { newsletter } = await getNewsletter(sql, context.teamId, id)
  const title = newsletter.blocks.find((one) => one.id === place)?.content_block.title
  await transaction(sql, (tx) => removeBlock(tx, now, context.teamId, id, place, null))
  return { text: `Removed “${title}”. It stays in the library.` }
}

async function fill(context: MemberRequest): Promise<Response> {
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  return await redirectWithResult(context, composerPath(context, 'issue'), async () => {
    const { newsletter } = await getNewsletter(sql, context.teamId, id)
    const { blocks_count } = await transaction(sql, (tx) =>
      composeNewsletter(tx, now, context.teamId, id, {}),
    )
    const many = blocks_count - newsletter.blocks_count
    const none = 'Nothing was added: every ready block is in an open newsletter already.'
    return { text: many === 0 ? none : `Added ${pluralize(many, 'block')}.` }
  })
}

/** What changes which blocks stand in a newsletter, and in which order. */
export const reorderPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/newsletters/:id/blocks', add, { role: 'editor', body: AddForm })
    .post('/newsletters/:id/order', order, { role: 'editor', body: OrderForm })
    .post('/newsletters/:id/compose', fill, { role: 'editor' })
