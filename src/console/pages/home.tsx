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

/** The page where a member continues to work: the first steps, the library or the newsletters. */
async function startPath({ ctx, member: { role } }: MemberRequest): Promise<string> {
  if (!can(role, 'editor')) return '/newsletters'
  const { hasBlock, newsletterId } = await getFirstSteps(ctx)
  if (can(role, 'admin') && !(hasBlock && newsletterId)) return '/welcome'
  return newsletterId && !(await hasDrafts(ctx)) ? '/newsletters' : '/library'
}

/** The route that redirects to the page to begin with. */
export const homePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/home', show, { role: 'viewer' })
