import * as v from 'valibot'
import {
  addBlock,
  composeNewsletter,
  getNewsletter,
  removeBlock,
  reorderBlocks,
} from '../../../features/newsletters/index.ts'
import { withDeadline } from '../../../lib/db.ts'
import { notFound } from '../../../lib/errors.ts'
import { action, type MemberRequest, NoFields, type Route } from '../../page.ts'
import { pluralize } from '../../pluralize.ts'
import { composerPath } from './changes.ts'
import { arrange, moved } from './placed-blocks.ts'
import { redirectWithResult } from './redirect-with-result.ts'

const text = v.optional(v.string(), '')

const add = action('/newsletters/:id/blocks', 'editor', {
  form: v.object({ add: text, before: text }),
  async handle(visit, { add: content_block_id, before }) {
    const { sql, now } = visit.deps
    const id = visit.params['id'] ?? ''
    return await redirectWithResult(visit, composerPath(visit, 'shelf'), async () => {
      const { newsletter } = await getNewsletter(sql, visit.teamId, id)
      const position = newsletter.blocks.find((place) => place.id === before)?.position
      const { content_block_title } = await withDeadline(
        sql.begin((tx) =>
          addBlock(tx, now, visit.teamId, id, {
            content_block_id,
            ...(position && { position }),
          }),
        ),
      )
      return { text: `Added “${content_block_title}”.` }
    })
  },
})

const order = action('/newsletters/:id/order', 'editor', {
  form: v.object({ up: text, down: text, remove: text, move: text, before: text }),
  async handle(visit, { up, down, remove, move, before }) {
    const place = up || down || move
    return await redirectWithResult(visit, composerPath(visit, place || 'issue'), async () => {
      if (remove) return await takeOut(visit, remove)
      const step = up ? { up: true as const } : down ? { down: true as const } : { before }
      return await reorder(visit, place, step)
    })
  },
})

async function reorder(visit: MemberRequest, place: string, step: Parameters<typeof moved>[2]) {
  const { sql, now } = visit.deps
  const id = visit.params['id'] ?? ''
  const { newsletter } = await getNewsletter(sql, visit.teamId, id)
  const wanted = moved(await arrange(sql, visit.teamId, newsletter), place, step)
  if (!wanted) throw notFound('The block, which somebody may have taken out meanwhile,')
  await withDeadline(
    sql.begin((tx) => reorderBlocks(tx, now, visit.teamId, id, wanted.ids, [newsletter.version])),
  )
  const { title, place: at, of, section } = wanted
  return { text: `“${title}” is number ${at} of ${of} in ${section}.` }
}

async function takeOut(visit: MemberRequest, place: string) {
  const { sql, now } = visit.deps
  const id = visit.params['id'] ?? ''
  const { newsletter } = await getNewsletter(sql, visit.teamId, id)
  const title = newsletter.blocks.find((one) => one.id === place)?.content_block.title
  await withDeadline(sql.begin((tx) => removeBlock(tx, now, visit.teamId, id, place, null)))
  return { text: `Took “${title}” out. It stays in the library.` }
}

const fill = action('/newsletters/:id/compose', 'editor', {
  form: NoFields,
  async handle(visit) {
    const { sql, now } = visit.deps
    const id = visit.params['id'] ?? ''
    return await redirectWithResult(visit, composerPath(visit, 'issue'), async () => {
      const { newsletter } = await getNewsletter(sql, visit.teamId, id)
      const { blocks_count } = await withDeadline(
        sql.begin((tx) => composeNewsletter(tx, now, visit.teamId, id, {})),
      )
      const many = blocks_count - newsletter.blocks_count
      const none = 'Nothing was added: all that is ready stands in an open newsletter already.'
      return { text: many === 0 ? none : `Added ${pluralize(many, 'block')}.` }
    })
  },
})

/** What changes which blocks stand in a newsletter, and in which order. */
export const reorderRoutes: readonly Route[] = [add, order, fill]
