import { type Sql, withDeadline } from '../../../lib/database/db.ts'
import { hashesIn } from '../address.ts'
import {
  type Position,
  referringTexts,
  selectTexts,
  type TextRow,
  type TextSlice,
} from './references-sql.ts'

/** A statement that reads so many texts, also long ones, takes far less time than a statement may take. */
const rowsPerSlice = 200

/** The hashes of all images to which a team refers, read slice by slice. */
export async function findReferenced(sql: Sql, teamId: string): Promise<Set<string>> {
  const found = new Set<string>()
  for (const texts of referringTexts) {
    let after: Position | undefined = { id: '', part: '' }
    while (after) {
      const slice: TextSlice = { teamId, after, limit: rowsPerSlice }
      const rows: TextRow[] = await withDeadline(selectTexts(sql, texts, slice))
      for (const hash of rows.flatMap((row) => hashesIn(row.texts ?? ''))) found.add(hash)
      after = rows.length < rowsPerSlice ? undefined : rows.at(-1)
    }
  }
  return found
}
