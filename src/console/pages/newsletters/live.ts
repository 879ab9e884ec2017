import { Elysia } from 'elysia'
import { countDrafts } from '../../../features/content-blocks/index.ts'
import { getNewsletter } from '../../../features/newsletters/index.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { liveResponse } from '../../live/connection.ts'

/**
 * What happens to a newsletter while its page is open, as server-sent events: `viewers` are the names of the
 * others who have it open, `changed` says who has saved a change, `posts` that its posts in chats
 * or its previews are in another state.
 * For other clients, its version as JSON.
 */
async function follow(context: MemberRequest): Promise<Response> {
  const { member, teamId, signedIn, request } = context
  const { live } = context.deps
  const { id, version } = await getNewsletter(context.ctx, context.params['id'] ?? '')
  if (request.headers.get('accept') !== 'text/event-stream') {
    return Response.json({ version, ...(await countDrafts(context.ctx)) })
  }
  const page = { teamId, memberId: member.id, sessionId: signedIn.sessionId, newsletterId: id }
  live.requireBelowConnectionLimit(page)
  return liveResponse((write) => live.open({ ...page, ...write }))
}

/** The route that a page of a newsletter stays connected to. */
export const newsletterLivePages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/newsletters/:id/live', follow, { role: 'viewer' })
