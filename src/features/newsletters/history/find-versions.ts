import { type Sql, withDeadline } from '../../../lib/database/db.ts'
import { selectCurrentVersions } from '../sql.ts'

interface NewsletterOfTeam {
  teamId: string
  newsletterId: string
}

/** The versions of newsletters of any teams, in the order given; undefined for one that does not exist. */
export async function findVersions(
  { sql }: { sql: Sql },
  wanted: readonly NewsletterOfTeam[],
): Promise<(number | undefined)[]> {
  if (wanted.length === 0) return []
  const rows = await withDeadline(selectCurrentVersions(sql, wanted))
  const versions = new Map(rows.map((row) => [`${row.team_id} ${row.id}`, row.version]))
  return wanted.map(({ teamId, newsletterId }) => versions.get(`${teamId} ${newsletterId}`))
}
