import type { MemberRole } from '../../contract/vocabulary.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  countLimit,
  type Page,
  type PageRequest,
  pageOf,
  sliceOf,
} from '../../lib/lists/pagination.ts'
import { countMembersOf, type MemberRow, selectMemberPage } from './sql.ts'

/** A page of the members of a team, newest first; without roles, those of every role. */
export async function listMemberPage(
  { sql, actor: { teamId } }: Context,
  { roles, page }: { roles: readonly MemberRole[]; page: PageRequest },
): Promise<Page<MemberRow>> {
  const [rows, counted] = await withDeadline(
    Promise.all([
      selectMemberPage(sql, teamId, roles, sliceOf(page)),
      countMembersOf(sql, teamId, roles, countLimit + 1),
    ]),
  )
  return pageOf(rows, counted, page)
}
