import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { type ContributorRole, insertContributors } from './sql.ts'

/** A person of a chat who has to do with a block. */
interface Contributor {
  /** The id of the person in the chat. */
  user: string
  role: ContributorRole
}

/** Stores who has to do with a block that a connection has created. */
export async function addContributors(
  { sql, now, actor: { teamId } }: Context,
  {
    blockId,
    connectionId,
    contributors,
    fromPrivate,
  }: {
    blockId: string
    connectionId: string
    contributors: readonly Contributor[]
    /** Whether the content comes from a private conversation. */
    fromPrivate: boolean
  },
): Promise<void> {
  if (contributors.length === 0) return
  const shared = { team_id: teamId, block_id: blockId, connection_id: connectionId }
  const created_at = now()
  const rows = contributors.map(({ user, role }) => ({
    ...shared,
    user_id: user,
    role,
    from_private: fromPrivate,
    created_at,
  }))
  await withDeadline(insertContributors(sql, rows))
}
