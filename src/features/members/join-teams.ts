import type { ServiceContext, TxContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import { recordAudit } from '../audit-log/index.ts'
import { existsMember, joinMemberRows } from './accounts-sql.ts'
import { memberActor } from './actor.ts'
import { deleteInvitations } from './invitations/sql.ts'

/** True when a team has a member with this address, given in lower case. */
export async function isMemberAddress(sql: Sql | Tx, email: string): Promise<boolean> {
  return await withDeadline(existsMember(sql, email))
}

/**
 * Links an account to all members with its address who have not accepted their invitation, in all teams.
 * Call it only when the address is known to be the person's.
 */
export async function joinTeams(
  { sql, now }: TxContext<ServiceContext>,
  { account, address }: { account: { id: string; email: string }; address: string },
): Promise<void> {
  for (const member of await withDeadline(joinMemberRows(sql, account))) {
    await deleteInvitations(sql, member.team_id, member.id)
    await recordAudit({ sql, now, actor: memberActor(member, address) }, 'member_joined')
  }
}
