import type { Logger } from 'pino'
import { findMember } from '../../features/members/index.ts'
import { findVersions } from '../../features/newsletters/index.ts'
import { findOpenAccess } from '../../features/sessions/index.ts'
import type { Now } from '../../lib/clock.ts'
import { type ChangeMessage, listenForChanges } from '../../lib/database/changes.ts'
import type { Sql } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import type { LiveConnection } from './connection.ts'
import { createCounts } from './counts.ts'
import { createPresence } from './presence.ts'

const heartbeatMs = 20_000
const countsMs = 3_000
const mostOfMember = 10
const mostOfTeam = 500
const mostConnections = 2_000

/** The pages of this process that receive messages. */
export interface Live {
  /** Adds a page; returns what is called when it is closed. Throws `rate_limited` when there are too many. */
  open(connection: LiveConnection): () => void
  /** Throws `rate_limited` when no page can be added. */
  requireBelowConnectionLimit(member: Pick<LiveConnection, 'teamId' | 'memberId'>): void
  /** Closes all pages and accepts no more. */
  close(): void
}

interface LiveDeps {
  sql: Sql
  now: Now
  log: Logger
}

/**
 * Passes messages of PostgreSQL to the pages of members. The process listens from the first page on. Each page
 * is checked at once when a session ends or a member loses access. Messages can be lost, so each page is checked
 * and sent the version of its newsletter when it connects, when the process listens again, and every 20 s.
 */
export function createLive({ sql, now, log }: LiveDeps): Live {
  const connections = new Set<LiveConnection>()
  const presence = createPresence(sql, now, connections)
  const counts = createCounts(sql, connections)
  let isClosed = false
  let heartbeat: Timer | undefined
  let counting: Timer | undefined
  let listening: Promise<unknown> | undefined

  /** Errors are logged: the pages ask for the state by themselves. */
  const inBackground = (work: Promise<unknown>) => {
    work.catch((err: unknown) => log.warn({ err }, 'pages do not receive live messages'))
  }
  const checkAccess = async (open: readonly LiveConnection[]) => {
    const allowed = await findOpenAccess({ sql, now }, open)
    for (const one of open) {
      if (!allowed.has(`${one.sessionId} ${one.teamId}`)) one.close()
    }
  }
  const sendVersions = async (open: readonly LiveConnection[]) => {
    const pages = open.filter(showsNewsletter)
    if (pages.length === 0) return
    const versions = await findVersions({ sql }, pages)
    for (const [index, page] of pages.entries()) {
      const version = versions[index]
      if (version !== undefined) page.send('changed', { by: null, version })
    }
  }
  /** Closes the pages that may not be open any more, and sends the others their version. */
  const catchUp = async (open: readonly LiveConnection[]) => {
    await checkAccess(open)
    await sendVersions(open.filter((one) => connections.has(one)))
  }
  const beat = async () => {
    for (const one of connections) one.ping()
    inBackground(listen())
    await catchUp([...connections])
    await presence.renew()
  }
  const onChange = (change: ChangeMessage) => {
    if (change.topic === 'access') inBackground(checkAccess([...connections]))
    else if (change.topic === 'viewers') inBackground(presence.receive(change))
    else if (change.topic === 'posts') sendPosts(connections, change)
    else inBackground(passOn(sql, connections, change))
  }
  const listen = () => {
    if (listening !== undefined) return listening
    const onConnect = () => inBackground(catchUp([...connections]))
    listening = listenForChanges(sql, { onChange, onConnect })
    listening.catch((err: unknown) => {
      listening = undefined
      log.warn({ err }, 'cannot listen for changes; it is tried again')
    })
    return listening
  }
  const enter = async (connection: LiveConnection) => {
    await listen()
    // Access that ended while the page was opened is not announced again.
    await catchUp([connection])
    if (connections.has(connection)) await presence.enter(connection)
  }
  const stop = () => {
    clearInterval(heartbeat)
    clearInterval(counting)
    heartbeat = undefined
    counting = undefined
  }
  const requireRoom: Live['requireBelowConnectionLimit'] = ({ teamId, memberId }) => {
    const ofTeam = [...connections].filter((one) => one.teamId === teamId)
    const own = ofTeam.filter((one) => one.memberId === memberId)
    const isFull = connections.size >= mostConnections || ofTeam.length >= mostOfTeam
    if (!isClosed && own.length < mostOfMember && !isFull) return
    throw new AppError('rate_limited', 'Too many pages are open.', { retryAfterSeconds: 60 })
  }
  return {
    requireBelowConnectionLimit: requireRoom,
    open(connection) {
      connections.add(connection)
      // A heartbeat keeps proxies from closing the connections.
      heartbeat ??= setInterval(() => inBackground(beat()), heartbeatMs)
      // A database cannot say cheaply that a number has changed, so it is asked.
      counting ??= setInterval(() => inBackground(counts.refresh()), countsMs)
      inBackground(enter(connection))
      return () => {
        connections.delete(connection)
        inBackground(presence.leave(connection))
        if (connections.size === 0) stop()
      }
    },
    close() {
      isClosed = true
      for (const one of connections) one.close()
      stop()
    },
  }
}

const showsNewsletter = (page: LiveConnection): page is LiveConnection & { newsletterId: string } =>
  page.newsletterId !== null

/** Notifies the pages of a newsletter that its posts in chats or its previews are in another state. */
function sendPosts(
  connections: ReadonlySet<LiveConnection>,
  { team, newsletter }: Extract<ChangeMessage, { topic: 'posts' }>,
): void {
  for (const one of connections)
    if (one.teamId === team && one.newsletterId === newsletter) one.send('posts', null)
}

/** Notifies the pages of a newsletter, or of a team, of a change and who made it. */
async function passOn(
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
