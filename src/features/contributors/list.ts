import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import type { PersonRef } from './preferences.ts'
import { existsPrivate, selectBlocksOf, selectRoles, selectSenders } from './sql.ts'

/** The blocks among these to which a person contributed, and those in which the person is thanked. */
export async function listRoles(
  { sql, actor }: ReadContext,
  { blockIds, ...person }: PersonRef & { blockIds: readonly string[] },
): Promise<{ contributed: ReadonlySet<string>; thanked: ReadonlySet<string> }> {
  const rows = await withDeadline(selectRoles(sql, actor.teamId, person, blockIds))
  const contributed = new Set<string>()
  const thanked = new Set<string>()
  for (const { block_id, role } of rows)
    (role === 'recipient' ? thanked : contributed).add(block_id)
  return { contributed, thanked }
}

const maxListed = 10

/** The newest ten blocks that a person sent or wrote. */
export async function listBlocksOfPerson(
  { sql, actor }: ReadContext,
  person: PersonRef,
): Promise<string[]> {
  return await withDeadline(selectBlocksOf(sql, actor.teamId, person, maxListed))
}

/** The people who sent a block. */
export async function listSenders(
  { sql, actor }: ReadContext,
  { blockId }: { blockId: string },
): Promise<PersonRef[]> {
  const rows = await withDeadline(selectSenders(sql, actor.teamId, blockId))
  return rows.map(({ connection_id, user_id }) => ({
    connectionId: connection_id,
    userId: user_id,
  }))
}

/** Whether the content of a block comes from a private conversation. */
export async function isFromPrivate(
  { sql, actor }: ReadContext,
  { blockId }: { blockId: string },
): Promise<boolean> {
  return await withDeadline(existsPrivate(sql, actor.teamId, blockId))
}
