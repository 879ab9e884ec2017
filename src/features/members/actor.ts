import type { Actor } from '../../lib/context.ts'
import type { MembershipRow } from './accounts-sql.ts'

/** The actor for a member of a team. `address` is the client's network address. */
export const memberActor = (
  {
    id: memberId,
    team_id: teamId,
    name,
    email,
  }: Pick<MembershipRow, 'id' | 'team_id' | 'name' | 'email'>,
  address: string | null,
): Actor => ({ kind: 'member', teamId, memberId, name: `${name} (${email})`, address })
