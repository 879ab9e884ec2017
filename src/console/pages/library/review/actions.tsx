import { Elysia } from 'elysia'
import * as v from 'valibot'
import { updateBlock } from '../../../../features/content-blocks/index.ts'
import { AppError } from '../../../../lib/errors.ts'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { once, withoutChange } from '../../../http/forms/once.ts'
import { failure, redirect, success } from '../../../http/responses.ts'
import { blockRows, isInPlace, reviewedRow } from '../edit/in-place.tsx'

/** The library page to return to. */
export const Back = v.optional(
  v.pipe(v.string(), v.regex(/^\/library(?:\/\w+|\?[\w=&%.+~-]*)?$/)),
  '/library',
)

const to = v.picklist(['ready', 'draft'] as const, 'must be ready or draft')

/** A field of the forms that undo a review; a row of the list has it in the address. */
export const Undo = v.optional(v.string())

/** The version that the person has seen: a field on the page of a block, in the address for a row of the list. */
const Review = v.object({
  back: Back,
  to,
  version: v.fallback(v.optional(v.pipe(v.string(), v.transform(Number), v.integer())), undefined),
  undo: Undo,
})

async function reviewBlock(context: FormRequest<typeof Review>): Promise<Response> {
  const { t } = context
  const { back, to: status, version, undo } = context.body
  const id = context.params['id'] ?? ''
  const seen = version ?? Number(context.url.searchParams.get('version'))
  const expected = seen ? [seen] : null
  const isUndo = undo !== undefined || context.url.searchParams.has('undo')
  const block = await updateBlock(context.ctx, { id, change: { status }, expected }).catch(
    ignoreMismatch,
  )
  if (!block) return refuseReview(context, back)
  if (isInPlace(context)) {
    const row = await blockRows(context, [block], { isReviewed: !isUndo, isChanged: true })
    return await reviewedRow(context, row)
  }
  const key = status === 'ready' ? 'library.is_approved' : 'library.is_a_draft_again'
  // What was undone is confirmed, and not offered to be undone again.
  if (isUndo || !back.startsWith('/library?')) {
    return redirect(context, back, success(t(key, { title: block.title })))
  }
  const query = new URLSearchParams(back.slice('/library?'.length))
  query.set('reviewed', id)
  return redirect(context, `/library?${query}`)
}

/** In the list, the script shows the message of an error; the row of the block stays. */
function refuseReview(context: MemberRequest, back: string): Response {
  const text = context.t('library.changed_before_review')
  if (isInPlace(context)) throw new AppError('version_mismatch', text)
  return withoutChange(redirect(context, back, failure(text)))
}

function ignoreMismatch(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'version_mismatch') throw error
}

/** Routes that review blocks. */
export const reviewPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/library/:id/status', once(reviewBlock), { role: 'editor', body: Review })
