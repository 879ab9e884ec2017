import { listMemberships } from '../../../features/members/index.ts'
import { chooseTeam, type SignedIn } from '../../../features/sessions/index.ts'
import type { ConsoleRequest } from '../../http/context.ts'
import { redirect, success } from '../../http/responses.ts'

/**
 * Opens the team that a person has just joined, with a message that names it; `cookies` start the session, where it
 * is new. A person who is no member of the team comes to the team of the session.
 */
export async function openJoinedTeam(
  context: ConsoleRequest,
  {
    signedIn,
    teamId,
    cookies = [],
  }: { signedIn: SignedIn | null; teamId: string; cookies?: readonly string[] },
): Promise<Response> {
  const { deps, t } = context
  const memberships = signedIn ? await listMemberships(deps.sql, signedIn.account.id) : []
  const joined = memberships.find(({ team_id }) => team_id === teamId)
  if (!(signedIn && joined)) return redirect(context, '/library', { cookies })
  await chooseTeam(deps, { sessionId: signedIn.sessionId, teamId })
  const { team_name } = joined
  return redirect(context, '/library', { ...success(t('join.joined', { team_name })), cookies })
}
