import { type Sql, withDeadline } from '../../lib/db.ts'
import { selectFirstSteps } from './sql.ts'

/** What a team has done of what makes its first newsletter. */
export interface FirstSteps {
  /** A person made a key for a program. */
  keyMade: boolean
  /** Something is in the library. */
  blockArrived: boolean
  /** A provider is connected. */
  connected: boolean
  /** A newsletter holds something. */
  composed: boolean
  /** A preview was mailed, or a newsletter was made ready. */
  previewed: boolean
}

/** How far a team has come; every answer is found by an index. */
export async function getFirstSteps(sql: Sql, teamId: string): Promise<FirstSteps> {
  return await withDeadline(selectFirstSteps(sql, teamId))
}
