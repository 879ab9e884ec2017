import { hasDrafts } from '../../features/blocks/index.ts'
import { getFirstSteps } from '../../features/setup/index.ts'
import { redirect } from '../answers.ts'
import { page, type Route, type Visit } from '../page.ts'
import { can } from '../roles.ts'

const show = page('/home', 'viewer', async (visit) => redirect(visit, await workOf(visit)))

/** Where the visitor's work is: the first steps, what waits for approval, or the issues. */
async function workOf({ deps, teamId, member: { role } }: Visit): Promise<string> {
  if (!can(role, 'editor')) return '/newsletters'
  const { blockArrived, composed } = await getFirstSteps(deps.sql, teamId)
  if (can(role, 'admin') && !(blockArrived && composed)) return '/welcome'
  return composed && !(await hasDrafts(deps.sql, teamId)) ? '/newsletters' : '/library'
}

/** Where people begin. */
export const homeRoutes: readonly Route[] = [show]
