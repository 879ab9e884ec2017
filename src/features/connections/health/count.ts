import { withDeadline } from '../../../lib/database/db.ts'
import type { ConnectionDeps, DecryptedConnection } from '../secrets/decrypted-connection.ts'
import { incrementRateLimited, incrementRefused, incrementUnknownEvents } from './counters-sql.ts'

/**
 * Counts a request that the adapter refused, because it is not signed with the secret of the
 * connection.
 */
export async function countRefusedRequest(
  { sql, now }: Pick<ConnectionDeps, 'sql' | 'now'>,
  { teamId, id }: DecryptedConnection,
): Promise<void> {
  await withDeadline(incrementRefused(sql, teamId, id, now()))
}

/** Counts a request that was refused because too many came within a minute. */
export async function countRateLimitedRequest(
  { sql }: Pick<ConnectionDeps, 'sql'>,
  { teamId, id }: DecryptedConnection,
): Promise<void> {
  await withDeadline(incrementRateLimited(sql, teamId, id))
}

/** Counts an event of a kind that the adapter does not know. */
export async function countUnknownEvent(
  { sql }: Pick<ConnectionDeps, 'sql'>,
  { teamId, id }: DecryptedConnection,
): Promise<void> {
  await withDeadline(incrementUnknownEvents(sql, teamId, id))
}
