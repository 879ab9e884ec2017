import { hasDrafts } from '../../features/content-blocks/index.ts'
import { getFirstSteps } from '../../features/setup/index.ts'
import { type MemberRequest, page, type Route } from '../page.ts'
import { redirect } from '../responses.ts'
import { can } from '../roles.ts'

const show = page('/home', 'viewer', async (visit) => redirect(visit, await workOf(visit)))

/** Where the visitor's work is: the first steps, what waits for approval, or the issues. */
async function workOf({ deps, teamId, member: { role } }: MemberRequest): Promise<string> {
  if (!can(role, 'editor')) return '/newsletters'
  const { blockArrived, composed } = await getFirstSteps(deps.sql, teamId)
  if (can(role, 'admin') && !(blockArrived && composed)) return '/welcome'
  return composed && !(await hasDrafts(deps.sql, teamId)) ? '/newsletters' : '/library'
}

/** Where people begin. */
export const homeRoutes: readonly Route[] = [show]
