import { countByStatus } from '../../../features/content-blocks/index.ts'
import type { MemberRequest } from '../../http/context.ts'
import { textOf } from '../../http/form-data.ts'
import { fragment } from '../../http/responses.ts'
import { parseLibraryFilter } from './filter.ts'
import { Tabs } from './filters.tsx'

/** True when the script of the library sent the form and replaces the row of the block. */
export const isInPlace = ({ request }: MemberRequest): boolean =>
  request.headers.get('hx-request') === 'true'

/** The row of a block that was changed in place, and the tabs with the new numbers of blocks. */
export async function reviewedRow(context: MemberRequest, row: JSX.Element): Promise<Response> {
  const counts = await countByStatus(context.ctx)
  const back = textOf(context.values, 'back')
  const filter = parseLibraryFilter(new URL(back || '/library', context.deps.baseUrl))
  return await fragment(
    <>
      <Tabs t={context.t} filter={filter} counts={counts} />
      <ul>{row as 'safe'}</ul>
    </>,
  )
}
