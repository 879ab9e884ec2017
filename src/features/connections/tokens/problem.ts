import type { Context } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { toReason } from '../../../lib/text/reason.ts'
import { clearTokenProblemRow, updateTokenProblem } from './sql.ts'

/**
 * Stores that the provider refused the token of a connection in an attempt that began at `startedAt`. A token that the
 * connection got after that has no problem.
 */
export async function saveTokenProblem(
  { sql, actor }: Context,
  { connectionId, problem, startedAt }: { connectionId: string; problem: string; startedAt: Date },
): Promise<void> {
  const row = { id: connectionId, problem: toReason(problem), startedAt }
  await withDeadline(updateTokenProblem(sql, actor.teamId, row))
}

/** Stores that the provider has accepted the token of a connection. */
export async function clearTokenProblem(
  { sql, actor }: Context,
  { connectionId }: { connectionId: string },
): Promise<void> {
  await withDeadline(clearTokenProblemRow(sql, actor.teamId, connectionId))
}
