import { daysBefore } from '../../lib/clock.ts'
import type { Context, ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import {
  deleteContributorRows,
  deleteContributorsBefore,
  deletePeopleOfRemovedConnections,
} from './sql.ts'

/** Removes everybody from blocks that were withdrawn: the list of a person's own news is about what was sent. */
export async function deleteContributors(
  { sql, actor: { teamId } }: Context,
  { blockIds }: { blockIds: readonly string[] },
): Promise<void> {
  if (blockIds.length > 0) await withDeadline(deleteContributorRows(sql, teamId, blockIds))
}

const retentionDays = 400

/** Deletes contributors after 400 days, and the people of connections that were removed. */
export async function purgeContributors({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteContributorsBefore(sql, before)
  await deletePeopleOfRemovedConnections(sql)
}
