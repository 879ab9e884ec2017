import { Elysia } from 'elysia'
import * as v from 'valibot'
import { updateBlock } from '../../../features/content-blocks/index.ts'
import { transaction } from '../../../lib/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'

/** Where to go afterwards: within the library. */
const Back = v.optional(
  v.pipe(v.string(), v.regex(/^\/library(?:\/\w+|\?[\w=&%.+~-]*)?$/)),
  '/library',
)

const to = v.picklist(['ready', 'draft'] as const, 'must be ready or draft')

const BulkForm = v.object({
  back: Back,
  to,
  'ids[]': v.optional(v.pipe(v.array(v.string()), v.maxLength(200)), []),
})

async function bulk(context: FormRequest<typeof BulkForm>): Promise<Response> {
  const { back, to: status, 'ids[]': ids } = context.body
  const { sql, now } = context.deps
  const changed = await transaction(sql, async (tx) => {
    const done = []
    for (const id of ids) {
      const changing = updateBlock(tx, now, context.teamId, id, { status }, null)
      done.push(await changing.then(() => true, isLeftAsItIs))
    }
    return done.filter((one) => one).length
  })
  const what = status === 'ready' ? 'approved' : 'back to draft'
  return redirect(context, back, success(`${changed} of ${ids.length} chosen: ${what}.`))
}

/** A block that was deleted or used meanwhile does not keep the others back. */
function isLeftAsItIs(error: unknown): false {
  const known =
    error instanceof AppError && ['not_found', 'invalid_transition'].includes(error.code)
  if (!known) throw error
  return false
}

const SetStatusForm = v.object({ back: Back, to })

async function setStatus(context: FormRequest<typeof SetStatusForm>): Promise<Response> {
  const { back, to: status } = context.body
  const { sql, now } = context.deps
  const id = context.params['id'] ?? ''
  const { title } = await transaction(sql, (tx) =>
    updateBlock(tx, now, context.teamId, id, { status }, null),
  )
  const done = status === 'ready' ? `“${title}” is ready.` : `“${title}” is a draft again.`
  return redirect(context, back, success(done))
}

/** Approving blocks, and taking that back. */
export const reviewPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/library/bulk', bulk, { role: 'editor', body: BulkForm })
    .post('/library/:id/status', setStatus, { role: 'editor', body: SetStatusForm })
