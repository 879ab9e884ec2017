import { Elysia } from 'elysia'
import * as v from 'valibot'
import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import {
  declineBlocks,
  findChangedBlocks,
  findTitles,
  restoreBlocks,
  reviewBlocks,
} from '../../../../features/content-blocks/index.ts'
import { attribute } from '../../../attribute.ts'
import { Form } from '../../../components/form/form.tsx'
import { access } from '../../../http/access.ts'
import type { ConsoleDeps, FormRequest, MemberRequest } from '../../../http/context.ts'
import { once, withoutChange } from '../../../http/forms/once.ts'
import { failure, redirect, success } from '../../../http/responses.ts'
import type { Translate } from '../../../locales/index.ts'
import { DeletedRow } from '../block-row.tsx'
import { blockRows, isInPlace, reviewedRow } from '../edit/in-place.tsx'
import { Back, Undo } from './actions.tsx'
import { SeenVersion, seenVersion } from './seen-version.ts'

const decisions = ['ready', 'draft', 'decline', 'restore'] as const
type Decision = (typeof decisions)[number]

const BulkReview = v.object({
  back: Back,
  to: v.picklist(decisions, 'must be ready, draft, decline or restore'),
  undo: Undo,
  'selected[]': v.optional(v.pipe(v.array(SeenVersion), v.maxLength(200)), []),
})

type Seen = v.InferOutput<typeof SeenVersion>

/** What a decision about several blocks has changed. */
interface Outcome {
  count: number
  /** The titles of the blocks that were changed since they were seen. */
  outdated: readonly string[]
  /** The blocks that have their place in the list. */
  blocks: readonly ContentBlock[]
  declined: readonly { id: string; title: string }[]
}

async function reviewSelected(context: FormRequest<typeof BulkReview>): Promise<Response> {
  const { t } = context
  const { back, to, 'selected[]': seen } = context.body
  if (seen.length === 0)
    return withoutChange(redirect(context, back, failure(t('library.select_at_least_one_block'))))
  const outcome = await decide(context, to, seen)
  const text = resultText(t, to, outcome, seen.length)
  const isComplete = outcome.count === seen.length
  if (!isInPlace(context))
    return redirect(context, back, isComplete ? success(text) : failure(text))
  const rows = await changedRows(context, outcome, seen)
  const undone = [
    ...reviewedOf(outcome, to, seen).map(seenVersion),
    ...outcome.declined.map(anyVersion),
  ]
  return await reviewedRow(
    context,
    rows,
    <BulkResult {...{ context, to, text, isComplete, undone }} />,
  )
}

const anyVersion = ({ id }: { id: string }): string => `${id}.0`

/** The blocks whose status this decision has changed, each to its next version. */
function reviewedOf({ blocks }: Outcome, to: Decision, seen: readonly Seen[]): ContentBlock[] {
  const next = new Map(seen.map(({ id, version }) => [id, version + 1]))
  return blocks.filter(({ id, status, version }) => status === to && version === next.get(id))
}

/** The rows of all selected blocks that are not as they were in the list. */
async function changedRows(
  context: FormRequest<typeof BulkReview>,
  outcome: Outcome,
  seen: readonly Seen[],
): Promise<JSX.Element> {
  const reviewed = reviewedOf(outcome, context.body.to, seen)
  const versions = new Map(seen.map(({ id, version }) => [id, version]))
  const others = outcome.blocks.filter(
    (block) => !reviewed.includes(block) && block.version !== versions.get(block.id),
  )
  const rows = await Promise.all([
    blockRows(context, reviewed, {
      isReviewed: context.body.undo === undefined,
      isChanged: true,
    }),
    blockRows(context, others),
  ])
  return (
    <>
      {rows as 'safe'[]}
      {outcome.declined.map((block) => (
        <DeletedRow t={context.t} block={block} isDraft />
      ))}
    </>
  )
}

async function decide(
  { ctx }: MemberRequest,
  to: Decision,
  seen: readonly Seen[],
): Promise<Outcome> {
  const ids = seen.map(({ id }) => id)
  if (to === 'decline') {
    const { declined, outdated } = await declineBlocks(ctx, { seen })
    const titles = [...(await findTitles(ctx, outdated)).values()]
    return { count: declined.length, outdated: titles, blocks: [], declined }
  }
  const { count, outdated } =
    to === 'restore'
      ? { count: (await restoreBlocks(ctx, ids)).length, outdated: [] }
      : await reviewBlocks(ctx, { seen, status: to })
  const { changed } = await findChangedBlocks(
    ctx,
    ids.map((id) => ({ id, version: 0 })),
  )
  return { count, outdated, blocks: changed, declined: [] }
}

const resultKeys = {
  ready: 'library.approved_count',
  draft: 'library.set_back_count',
  decline: 'library.declined_count',
  restore: 'library.restored_count',
} as const

/** Says for how many blocks a decision was made, and why not for the others. */
function resultText(
  t: Translate,
  to: Decision,
  { count, outdated }: Pick<Outcome, 'count' | 'outdated'>,
  all: number,
): string {
  const rest = all - count - outdated.length
  const [title = ''] = outdated
  const texts = [
    t(resultKeys[to], { count }),
    outdated.length === 1 ? t('library.one_changed_before_review', { title }) : '',
    outdated.length > 1
      ? t('library.some_changed_before_review', { titles: outdated.slice(0, 5).join(', ') })
      : '',
    rest > 0 ? t('library.had_been_used', { rest, all }) : '',
  ]
  return texts.filter((text) => text !== '').join(' ')
}

const opposites = { ready: 'draft', draft: 'ready', decline: 'restore' } as const

interface BulkResultProps {
  context: FormRequest<typeof BulkReview>
  to: Decision
  text: string
  isComplete: boolean
  /** The blocks that can be set back, as fields of the form. */
  undone: readonly string[]
}

/** The result above the list, with a button that undoes it for all blocks. */
function BulkResult({ context, to, text, isComplete, undone }: BulkResultProps) {
  return (
    <div id="bulk-result" class={`notice row ${isComplete ? 'success' : 'warning'}`}>
      <span safe>{text}</span>
      {to === 'restore' || context.body.undo !== undefined || undone.length === 0 ? null : (
        <Form context={context} action="/library/bulk">
          <input type="hidden" name="back" value={attribute(context.body.back)} />
          <input type="hidden" name="undo" value="1" />
          {undone.map((seen) => (
            <input type="hidden" name="selected[]" value={seen} />
          ))}
          <button type="submit" class="small" name="to" value={opposites[to]}>
            {context.t('common.undo')}
          </button>
        </Form>
      )}
    </div>
  )
}

/** The route that decides about the selected blocks. */
export const bulkReviewPages = (deps: ConsoleDeps) =>
  new Elysia()
    .use(access(deps))
    .post('/library/bulk', once(reviewSelected), { role: 'editor', body: BulkReview })
