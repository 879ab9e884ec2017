import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { selectOpenAccess } from './sql.ts'

/**
 * Those of these sessions that may still read their team, as `<session> <team>`: the session is open, and
 * its person is a member of the team, with a second factor where the team requires one.
 */
export async function findOpenAccess(
  { sql, now }: ServiceContext,
  wanted: readonly { sessionId: string; teamId: string }[],
): Promise<ReadonlySet<string>> {
  if (wanted.length === 0) return new Set()
  const rows = await withDeadline(selectOpenAccess(sql, wanted, now()))
  return new Set(rows.map(({ sessionId, teamId }) => `${sessionId} ${teamId}`))
}
