import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { notFound } from '../../lib/errors.ts'
import { deleteEventRow } from './sql.ts'

/** Removes an event of the team; its blocks keep the slug. Throws `not_found`. */
export async function deleteEvent(sql: Sql | Tx, teamId: string, slug: string): Promise<void> {
  if (!(await withDeadline(deleteEventRow(sql, teamId, slug)))) throw notFound('The event')
}
