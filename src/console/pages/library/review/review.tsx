import { Elysia } from 'elysia'
import * as v from 'valibot'
import {
  type ReviewedBlocks,
  reviewBlocks,
  updateBlock,
} from '../../../../features/content-blocks/index.ts'
import { AppError } from '../../../../lib/errors.ts'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { once, withoutChange } from '../../../http/forms/once.ts'
import { failure, redirect, success } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'
import { blockRows, isInPlace, reviewedRow } from '../edit/in-place.tsx'
import { SeenVersion } from './seen-version.ts'

/** The library page to return to. */
const Back = v.optional(
  v.pipe(v.string(), v.regex(/^\/library(?:\/\w+|\?[\w=&%.+~-]*)?$/)),
  '/library',
)

const to = v.picklist(['ready', 'draft'] as const, 'must be ready or draft')

const BulkReview = v.object({
  back: Back,
  to,
  'selected[]': v.optional(v.pipe(v.array(SeenVersion), v.maxLength(200)), []),
})

async function reviewSelected(context: FormRequest<typeof BulkReview>): Promise<Response> {
  const { t } = context
  const { back, to: status, 'selected[]': seen } = context.body
  if (seen.length === 0)
    return withoutChange(redirect(context, back, failure(t('library.select_at_least_one_block'))))
  const reviewed = await reviewBlocks(context.ctx, { seen, status })
  const text = bulkResult(t, status, { ...reviewed, all: seen.length })
  const isComplete = reviewed.count === seen.length
  return redirect(context, back, isComplete ? success(text) : failure(text))
}

/** How many blocks have the status now, and why the others do not. */
function bulkResult(
  t: Translate,
  status: 'ready' | 'draft',
  { count, outdated, all }: ReviewedBlocks & { all: number },
): string {
  const rest = all - count - outdated.length
  const [title = ''] = outdated
  const texts = [
    t(status === 'ready' ? 'library.approved_count' : 'library.set_back_count', { count }),
    outdated.length === 1 ? t('library.one_changed_before_review', { title }) : '',
    outdated.length > 1
      ? t('library.some_changed_before_review', { titles: outdated.slice(0, 5).join(', ') })
      : '',
    rest > 0 ? t('library.had_been_used', { rest, all }) : '',
  ]
  return texts.filter((text) => text !== '').join(' ')
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
  return withoutChange(redirect(context, back, failure(text)))
}

function ignoreMismatch(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'version_mismatch') throw error
}

/** Routes that review blocks. */
export const reviewPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/library/bulk', once(reviewSelected), { role: 'editor', body: BulkReview })
    .post('/library/:id/status', once(reviewBlock), { role: 'editor', body: Review })
