import * as v from 'valibot'
import { updateBlock } from '../../../features/content-blocks/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { action, type Route } from '../../page.ts'
import { redirect, success } from '../../responses.ts'

/** Where to go afterwards: within the library. */
const Back = v.optional(
  v.pipe(v.string(), v.regex(/^\/library(?:\/\w+|\?[\w=&%.+~-]*)?$/)),
  '/library',
)

const to = v.picklist(['ready', 'draft'] as const, 'must be ready or draft')

const bulk = action('/library/bulk', 'editor', {
  form: v.object({
    back: Back,
    to,
    'ids[]': v.optional(v.pipe(v.array(v.string()), v.maxLength(200)), []),
  }),
  async handle(visit, { back, to: status, 'ids[]': ids }) {
    const { sql, now } = visit.deps
    const changed = await sql.begin(async (tx) => {
      const done = []
      for (const id of ids) {
        const changing = updateBlock(tx, now, visit.teamId, id, { status }, null)
        done.push(await changing.then(() => true, isLeftAsItIs))
      }
      return done.filter((one) => one).length
    })
    const what = status === 'ready' ? 'approved' : 'back to draft'
    return redirect(visit, back, success(`${changed} of ${ids.length} chosen: ${what}.`))
  },
})

/** A block that was deleted or used meanwhile does not keep the others back. */
function isLeftAsItIs(error: unknown): false {
  const known =
    error instanceof AppError && ['not_found', 'invalid_transition'].includes(error.code)
  if (!known) throw error
  return false
}

const setStatus = action('/library/:id/status', 'editor', {
  form: v.object({ back: Back, to }),
  async handle(visit, { back, to: status }) {
    const { sql, now } = visit.deps
    const id = visit.params['id'] ?? ''
    const { title } = await sql.begin((tx) =>
      updateBlock(tx, now, visit.teamId, id, { status }, null),
    )
    const done = status === 'ready' ? `“${title}” is ready.` : `“${title}” is a draft again.`
    return redirect(visit, back, success(done))
  },
})

/** Approving blocks, and taking that back. */
export const reviewRoutes: readonly Route[] = [bulk, setStatus]
