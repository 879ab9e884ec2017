import { Elysia } from 'elysia'
import { hasDrafts } from '../../features/content-blocks/index.ts'
import { getFirstSteps } from '../../features/setup/index.ts'
import { access } from '../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../http/context.ts'
import { redirect } from '../http/responses.ts'
import { can } from '../roles.ts'

async function show(context: MemberRequest): Promise<Response> {
  return redirect(context, await startPath(context))
}

/** Where the visitor's work is: the first steps, what waits for approval, or the issues. */
async function startPath({ ctx, deps, teamId, member: { role } }: MemberRequest): Promise<string> {
  if (!can(role, 'editor')) return '/newsletters'
  const { blockArrived, composed } = await getFirstSteps(ctx)
  if (can(role, 'admin') && !(blockArrived && composed)) return '/welcome'
  return composed && !(await hasDrafts(deps.sql, teamId)) ? '/newsletters' : '/library'
}

/** The route that redirects to the page to begin with. */
export const homePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/home', show, { role: 'viewer' })
