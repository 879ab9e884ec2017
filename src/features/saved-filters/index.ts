import { type Context, inTransaction, type ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { deleteFilterRow, type SavedFilter, selectFilters, upsertFilter } from './sql.ts'

export type { SavedFilter }

const maxFilters = 30

/**
 * Saves a filter of the library for a member; one with the same name is replaced. Throws
 * `validation_failed` when the member has 30 others.
 */
export async function saveFilter(
  ctx: Context,
  { memberId, name, query }: SavedFilter & { memberId: string },
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async ({ sql, now }) => {
    const others = (await selectFilters(sql, teamId, memberId)).filter((one) => one.name !== name)
    if (others.length >= maxFilters) {
      throw invalidField('/name', `you have ${maxFilters} saved filters: delete one first`, 'limit')
    }
    await upsertFilter(sql, { teamId, memberId }, { name, query }, now())
  })
}

/** The filters of the library that a member has saved, by name. */
export async function listSavedFilters(
  { sql, actor }: ReadContext,
  memberId: string,
): Promise<SavedFilter[]> {
  return await withDeadline(selectFilters(sql, actor.teamId, memberId))
}

/** Deletes a saved filter of a member. */
export async function deleteSavedFilter(
  { sql, actor }: ReadContext,
  { memberId, name }: { memberId: string; name: string },
): Promise<void> {
  await withDeadline(deleteFilterRow(sql, actor.teamId, memberId, name))
}
