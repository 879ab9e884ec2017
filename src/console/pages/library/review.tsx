import { Elysia } from 'elysia'
import * as v from 'valibot'
import { reviewBlocks, updateBlock } from '../../../features/content-blocks/index.ts'
import { AppError } from '../../../lib/errors.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../http/context.ts'
import { failure, redirect, success } from '../../http/responses.ts'
import { blockRows, isInPlace, reviewedRow } from './in-place.tsx'

/** The library page to return to. */
const Back = v.optional(
  v.pipe(v.string(), v.regex(/^\/library(?:\/\w+|\?[\w=&%.+~-]*)?$/)),
  '/library',
)

const to = v.picklist(['ready', 'draft'] as const, 'must be ready or draft')

const BulkReview = v.object({
  back: Back,
  to,
  'ids[]': v.optional(v.pipe(v.array(v.string()), v.maxLength(200)), []),
})

async function reviewSelected(context: FormRequest<typeof BulkReview>): Promise<Response> {
  const { t } = context
  const { back, to: status, 'ids[]': ids } = context.body
  if (ids.length === 0)
    return redirect(context, back, failure(t('library.select_at_least_one_block')))
  const changed = await reviewBlocks(context.ctx, { ids, status })
  const key = status === 'ready' ? 'library.approved_count' : 'library.set_back_count'
  const rest = ids.length - changed
  const texts = [
    t(key, { count: changed }),
    ...(rest > 0 ? [t('library.had_been_used', { rest, all: ids.length })] : []),
  ]
  const text = texts.join(' ')
  return redirect(context, back, changed > 0 ? success(text) : failure(text))
}

/** The version that the person has seen: a field on the page of a block, in the address for a row of the list. */
const Review = v.object({
  back: Back,
  to,
  version: v.fallback(v.optional(v.pipe(v.string(), v.transform(Number), v.integer())), undefined),
})

async function reviewBlock(context: FormRequest<typeof Review>): Promise<Response> {
  const { t } = context
  const { back, to: status, version } = context.body
  const id = context.params['id'] ?? ''
  const seen = version ?? Number(context.url.searchParams.get('version'))
  const expected = seen ? [seen] : null
  const block = await updateBlock(context.ctx, { id, change: { status }, expected }).catch(
    ignoreMismatch,
  )
  if (!block) return refuseReview(context, back)
  if (isInPlace(context)) {
    return await reviewedRow(context, await blockRows(context, [block], { isReviewed: true }))
  }
  const key = status === 'ready' ? 'library.is_approved' : 'library.is_a_draft_again'
  if (!back.startsWith('/library?')) {
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
  return redirect(context, back, failure(text))
}

function ignoreMismatch(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'version_mismatch') throw error
}

/** Routes that review blocks. */
export const reviewPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/library/bulk', reviewSelected, { role: 'editor', body: BulkReview })
    .post('/library/:id/status', reviewBlock, { role: 'editor', body: Review })
