import type { Logger } from 'pino'
import { findMember } from '../../features/members/index.ts'
import { findOpenAccess } from '../../features/sessions/index.ts'
import type { Now } from '../../lib/clock.ts'
import { type Change, listenForChanges } from '../../lib/database/changes.ts'
import type { Sql } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import type { LiveConnection } from './connection.ts'
import { createPresence } from './presence.ts'

const heartbeatMs = 20_000
const mostOfMember = 10
const mostConnections = 2_000

/** The pages of this process that receive messages. */
export interface Live {
  /** Adds a page; returns what is called when it is closed. Throws `rate_limited` when there are too many. */
  open(connection: LiveConnection): () => void
  /** Throws `rate_limited` when no page can be added. */
  requireRoom(member: Pick<LiveConnection, 'teamId' | 'memberId'>): void
  /** Closes all pages and accepts no more. */
  close(): void
}

interface LiveDeps {
  sql: Sql
  now: Now
  log: Logger
}

/**
 * Passes messages of PostgreSQL to the pages of members. The process listens only while pages are open. Each
 * page is checked again every 20 s, and at once when a session ends or a member loses access.
 */
export function createLive({ sql, now, log }: LiveDeps): Live {
  const connections = new Set<LiveConnection>()
  const presence = createPresence(sql, now, connections)
  let isClosed = false
  let heartbeat: ReturnType<typeof setInterval> | undefined
  let listening: Promise<unknown> | undefined

  /** Errors are logged: the pages ask for the state by themselves. */
  const inBackground = (work: Promise<unknown>) => {
    work.catch((err: unknown) => log.warn({ err }, 'pages do not receive live messages'))
  }
  const checkAccess = async () => {
    const open = [...connections]
    const allowed = await findOpenAccess({ sql, now }, open)
    for (const one of open) {
      if (!allowed.has(`${one.sessionId} ${one.teamId}`)) one.close()
    }
  }
  const beat = async () => {
    for (const one of connections) one.ping()
    await checkAccess()
    await presence.renew()
  }
  const onChange = (change: Change) => {
    if (change.topic === 'access') inBackground(checkAccess())
    else if (change.topic === 'viewers') inBackground(presence.receive(change))
    else inBackground(passOn(sql, connections, change))
  }
  const start = () => {
    // A heartbeat keeps proxies from closing the connections.
    heartbeat ??= setInterval(() => inBackground(beat()), heartbeatMs)
    listening ??= listenForChanges(sql, { onChange, onConnect: () => {} })
    listening.catch((err: unknown) => {
      listening = undefined
      log.warn({ err }, 'cannot listen for changes; pages ask for them')
    })
  }
  const requireRoom: Live['requireRoom'] = ({ teamId, memberId }) => {
    const own = [...connections].filter((one) => one.teamId === teamId && one.memberId === memberId)
    if (!isClosed && own.length < mostOfMember && connections.size < mostConnections) return
    throw new AppError('rate_limited', 'Too many pages are open.', { retryAfterSeconds: 60 })
  }
  return {
    requireRoom,
    open(connection) {
      connections.add(connection)
      start()
      inBackground((listening ?? Promise.resolve()).then(() => presence.enter(connection)))
      return () => {
        connections.delete(connection)
        inBackground(presence.leave(connection))
        if (connections.size > 0) return
        clearInterval(heartbeat)
        heartbeat = undefined
      }
    },
    close() {
      isClosed = true
      for (const one of connections) one.close()
      clearInterval(heartbeat)
    },
  }
}

/** Tells the pages of a newsletter, or of a team, who has changed something. */
async function passOn(
  sql: Sql,
  connections: ReadonlySet<LiveConnection>,
  change: Extract<Change, { topic: 'newsletter' | 'block' }>,
): Promise<void> {
  const concerned = [...connections].filter(
    (one) =>
      one.teamId === change.team &&
      (change.topic === 'block'
        ? one.memberId !== change.by
        : one.newsletterId === change.newsletter),
  )
  if (concerned.length === 0) return
  const member = change.by && (await findMember({ sql, actor: { teamId: change.team } }, change.by))
  const by = member ? member.name : null
  const data =
    change.topic === 'block' ? { by, block: change.block } : { by, version: change.version }
  for (const one of concerned) one.send('changed', data)
}
