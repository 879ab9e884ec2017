import type { ReadContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { selectUndelivered, type UndeliveredEmail } from './sql.ts'

/** The most emails in the list. */
const listed = 50

/** The members to whom the last preview of a newsletter could not be delivered, the newest 50. */
export async function listUndelivered(
  { sql, actor: { teamId } }: ReadContext,
  newsletterId: string,
): Promise<UndeliveredEmail[]> {
  return await withDeadline(selectUndelivered(sql, teamId, newsletterId, listed))
}
