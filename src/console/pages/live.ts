import { Elysia } from 'elysia'
import { countDrafts } from '../../features/content-blocks/index.ts'
import { access } from '../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../http/context.ts'
import { liveResponse } from '../live/connection.ts'

/**
 * The messages that every page receives, as server-sent events: `counts` says how many drafts wait and
 * which block is the newest. For other clients, the same as JSON.
 */
async function follow(context: MemberRequest): Promise<Response> {
  const { ctx, deps, member, teamId, signedIn, request } = context
  if (request.headers.get('accept') !== 'text/event-stream') {
    return Response.json(await countDrafts(ctx))
  }
  const page = { teamId, memberId: member.id, sessionId: signedIn.sessionId, newsletterId: null }
  deps.live.requireBelowConnectionLimit(page)
  return liveResponse((write) => deps.live.open({ ...page, ...write }))
}

/** The route that pages stay connected to. */
export const livePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/live', follow, { role: 'viewer' })
