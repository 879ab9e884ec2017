import type { MemberRole } from '../../contract/vocabulary.ts'
import type { Context, ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  countLimit,
  type Page,
  type PageRequest,
  pageOf,
  sliceOf,
} from '../../lib/lists/pagination.ts'
import {
  countMembersOf,
  type MemberRow,
  selectAdmins,
  selectMember,
  selectMemberPage,
  selectMembers,
  selectMembersByName,
} from './sql.ts'

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

/**
 * The members of a team by name, at most `limit` and those after the member with an id, and whether there are others.
 * With a text, those whose name or address contains it.
 */
export async function listMembersByName(
  { sql, actor: { teamId } }: ReadContext,
  { text = '', afterId, limit }: { text?: string; afterId?: string | undefined; limit: number },
): Promise<{ members: MemberRow[]; hasMore: boolean }> {
  const after = afterId ? await withDeadline(selectMember(sql, teamId, afterId)) : undefined
  const rows = await withDeadline(
    selectMembersByName(sql, teamId, { text, after, limit: limit + 1 }),
  )
  return { members: rows.slice(0, limit), hasMore: rows.length > limit }
}

/** The members of a team, by name. */
export async function listMembers({ sql, actor }: ReadContext): Promise<MemberRow[]> {
  return await withDeadline(selectMembers(sql, actor.teamId))
}

/** The admins of a team, at most 50, those with the oldest membership first. */
export async function listAdmins({ sql, actor }: ReadContext): Promise<MemberRow[]> {
  return await withDeadline(selectAdmins(sql, actor.teamId))
}
