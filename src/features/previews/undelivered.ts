import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { selectUndelivered, type UndeliveredEmail } from './sql.ts'

/** The most emails in the list. */
const listed = 500

/**
 * The members to whom the last preview of one of these newsletters could not be delivered, or not yet, the newest 500.
 */
export async function listUndelivered(
  { sql, actor: { teamId } }: ReadContext,
  { newsletterIds }: { newsletterIds: readonly string[] },
): Promise<UndeliveredEmail[]> {
  if (newsletterIds.length === 0) return []
  return await withDeadline(selectUndelivered(sql, teamId, newsletterIds, listed))
}
