import type { MemberRole } from '../../contract/vocabulary.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { countLimit, type Page, type PageRequest } from '../../lib/lists/pagination.ts'
import { countMembersOf, type MemberRow, selectMemberPage } from './sql.ts'

/** A page of the members of a team, newest first; without roles, those of every role. */
export async function listMemberPage(
  { sql, actor: { teamId } }: Context,
  { roles, page }: { roles: readonly MemberRole[]; page: PageRequest },
): Promise<Page<MemberRow>> {
  const slice = {
    afterId: page.afterId ?? null,
    offset: page.afterId ? 0 : (page.page - 1) * page.perPage,
    limit: page.perPage + 1,
  }
  const [rows, counted] = await withDeadline(
    Promise.all([
      selectMemberPage(sql, teamId, roles, slice),
      countMembersOf(sql, teamId, roles, countLimit + 1),
    ]),
  )
  return { items: rows.slice(0, page.perPage), counted, hasMore: rows.length > page.perPage }
}
