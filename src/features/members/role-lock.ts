import type { MemberRole } from '../../contract/vocabulary.ts'
import type { TxContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { lockMemberWithRole } from './sql.ts'

/**
 * Locks the member who acts until the transaction ends, for a change that follows long after the role was checked.
 * Throws `insufficient_scope` for one who was removed or has none of these roles any more. Other actors have no role.
 */
export async function requireRoleLock(
  { sql, actor }: TxContext,
  roles: readonly MemberRole[],
): Promise<void> {
  if (actor.kind !== 'member') return
  const { teamId, memberId } = actor
  if (await lockMemberWithRole(sql, teamId, memberId, roles)) return
  throw new AppError(
    'insufficient_scope',
    'Your role in this team has changed meanwhile, so nothing was saved.',
  )
}
