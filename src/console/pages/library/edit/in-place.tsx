import type { ContentBlock } from '../../../../contract/blocks/content-block.ts'
import { listDiscussionSummaries } from '../../../../features/block-comments/index.ts'
import { findSampleContent } from '../../../../features/sample-content/index.ts'
import type { MemberRequest } from '../../../http/context.ts'
import { textOf } from '../../../http/forms/form-data.ts'
import { fragment } from '../../../http/responses.ts'
import { can } from '../../../roles.ts'
import { LibraryRow } from '../block-row.tsx'
import { filterOfPath } from '../filters/filter.ts'
import { countTabs, Tabs } from '../filters/filter-form.tsx'

/** The lines of the list for these blocks, with their assignees and numbers of comments for editors. */
export async function blockRows(
  context: MemberRequest,
  blocks: readonly ContentBlock[],
  { isReviewed = false, isChanged = false } = {},
): Promise<JSX.Element> {
  const canEdit = can(context.member.role, 'editor')
  const ids = blocks.map(({ id }) => id)
  const [discussions, sample] = await Promise.all([
    canEdit ? listDiscussionSummaries(context.ctx, ids) : new Map(),
    findSampleContent(context.ctx),
  ])
  return (
    <>
      {blocks.map((block) => (
        <LibraryRow
          context={context}
          block={block}
          discussion={discussions.get(block.id)}
          isSample={sample?.blockIds.includes(block.id) ?? false}
          canEdit={canEdit}
          isReviewed={isReviewed}
          showsStatus={isReviewed || isChanged}
        />
      ))}
    </>
  )
}

/** True when the script of the library sent the form and replaces the row in its list of blocks. */
export const isInPlace = ({ request }: MemberRequest): boolean =>
  request.headers.get('hx-target') === 'block-list'

/** The row of a block that was changed in place, and the tabs with the new numbers of blocks. */
export async function reviewedRow(
  context: MemberRequest,
  row: JSX.Element,
  result?: JSX.Element,
): Promise<Response> {
  const counts = await countTabs(context)
  const filter = filterOfPath(textOf(context.values, 'back'))
  return await fragment(
    <>
      <Tabs t={context.t} filter={filter} counts={counts} />
      {result as 'safe'}
      <ul>{row as 'safe'}</ul>
    </>,
  )
}
