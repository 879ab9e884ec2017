import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { updateSessionTeam } from './sql.ts'

/** Stores the team that a session shows. Every page checks that the account is a member of it. */
export async function chooseTeam(
  { sql }: { sql: Sql | Tx },
  { sessionId, teamId }: { sessionId: string; teamId: string },
): Promise<void> {
  await withDeadline(updateSessionTeam(sql, sessionId, teamId))
}
