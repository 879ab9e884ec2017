import { findMember } from '../../features/members/index.ts'
import { findVersions } from '../../features/newsletters/index.ts'
import { findOpenAccess } from '../../features/sessions/index.ts'
import type { Now } from '../../lib/clock.ts'
import type { ChangeMessage } from '../../lib/database/changes.ts'
import type { Sql } from '../../lib/database/db.ts'
import type { LiveConnection } from './connection.ts'

/** Closes the pages whose session has ended or whose member has lost access. */
export async function closeWithoutAccess(
  { sql, now }: { sql: Sql; now: Now },
  open: readonly LiveConnection[],
): Promise<void> {
  const allowed = await findOpenAccess({ sql, now }, open)
  for (const one of open) {
    if (!allowed.has(`${one.sessionId} ${one.teamId}`)) one.close()
  }
}

/** Sends the pages of newsletters the version of theirs. */
export async function sendVersions(sql: Sql, open: readonly LiveConnection[]): Promise<void> {
  const pages = open.filter(showsNewsletter)
  if (pages.length === 0) return
  const versions = await findVersions({ sql }, pages)
  for (const [index, page] of pages.entries()) {
    const version = versions[index]
    if (version !== undefined) page.send('changed', { by: null, version })
  }
}

const showsNewsletter = (page: LiveConnection): page is LiveConnection & { newsletterId: string } =>
  page.newsletterId !== null

/** Notifies the pages of a newsletter that its posts in chats or its previews are in another state. */
export function sendPosts(
  connections: ReadonlySet<LiveConnection>,
  { team, newsletter }: Extract<ChangeMessage, { topic: 'posts' }>,
): void {
  for (const one of connections)
    if (one.teamId === team && one.newsletterId === newsletter) one.send('posts', null)
}

/** Notifies the pages of a newsletter, or of a team, of a change and who made it. */
export async function notifyPages(
  sql: Sql,
  connections: ReadonlySet<LiveConnection>,
  change: Extract<ChangeMessage, { topic: 'newsletter' | 'blocks' }>,
): Promise<void> {
  const concerned = [...connections].filter(
    (one) =>
      one.teamId === change.team &&
      (change.topic === 'blocks'
        ? one.memberId !== change.by
        : one.newsletterId === change.newsletter),
  )
  if (concerned.length === 0) return
  const member = change.by && (await findMember({ sql, actor: { teamId: change.team } }, change.by))
  const by = member ? member.name : null
  const data =
    change.topic === 'blocks' ? { by, blocks: change.blocks } : { by, version: change.version }
  for (const one of concerned) one.send('changed', data)
}
