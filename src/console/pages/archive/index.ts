import { Elysia } from 'elysia'
import { atomFeed, listArchive } from '../../../features/archive/index.ts'
import type { Throttle } from '../../../lib/concurrency/throttle.ts'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, ConsoleRequest } from '../../http/context.ts'
import { showList } from './list.tsx'
import { showNewsletter } from './newsletter.tsx'
import { createArchiveThrottle, requireArchive, requireFeed } from './reader.ts'
import { archiveResponse, pagePolicy } from './response.ts'

async function showFeed(context: ConsoleRequest, throttle: Throttle): Promise<Response> {
  const { deps } = context
  const { team, token } = await requireFeed(context, throttle)
  const page = { teamId: team.team_id, words: null, afterId: null }
  const { newsletters } = await listArchive(deps, page)
  return archiveResponse(context, {
    body: atomFeed({ baseUrl: deps.baseUrl, token, team, newsletters }),
    contentType: 'application/atom+xml; charset=utf-8',
    policy: pagePolicy,
  })
}

/** The pages with the sent newsletters of a team, for its readers, and their feed. */
export function archivePages(deps: ConsoleDeps) {
  const throttle = createArchiveThrottle(deps.now)
  const open = { public: { session: false } } as const
  return new Elysia()
    .use(access(deps))
    .get(
      '/archive/:token',
      async (context) => await showList(context, await requireArchive(context, throttle)),
      open,
    )
    .get(
      '/archive/:token/:id',
      async (context) => await showNewsletter(context, await requireArchive(context, throttle)),
      open,
    )
    .get('/archive-feed/:token', (context) => showFeed(context, throttle), open)
}
