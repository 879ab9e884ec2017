import type { Logger } from 'pino'
import type { Now } from '../../lib/clock.ts'
import { listenForChanges } from '../../lib/database/changes.ts'
import type { Sql } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import type { LiveConnection } from './connection.ts'
import { createCounts } from './counts.ts'
import { closeWithoutAccess, notifyPages, sendPosts, sendVersions } from './messages.ts'
import { createPresence } from './presence.ts'

const heartbeatMs = 20_000
const countsMs = 3_000
const maxOfMember = 10
const maxOfTeam = 500
const maxConnections = 2_000

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
export function createLive(deps: LiveDeps): Live {
  const { sql, now, log } = deps
  const connections = new Set<LiveConnection>()
  const presence = createPresence(sql, now, connections)
  const counts = createCounts(sql, connections)
  let isClosed = false
  let timers: Timer[] = []
  /** Errors are logged: the pages ask for the state by themselves. */
  const inBackground = (work: Promise<unknown>) => {
    work.catch((err: unknown) => log.warn({ err }, 'pages do not receive live messages'))
  }
  /** Closes the pages that may not be open any more, and sends the others their version. */
  const catchUp = async (open: readonly LiveConnection[]) => {
    await closeWithoutAccess(deps, open)
    await sendVersions(
      sql,
      open.filter((one) => connections.has(one)),
    )
  }
  const listen = createListening(deps, {
    onChange(change) {
      if (change.topic === 'access') inBackground(closeWithoutAccess(deps, [...connections]))
      else if (change.topic === 'viewers') inBackground(presence.receive(change))
      else if (change.topic === 'posts') sendPosts(connections, change)
      else inBackground(notifyPages(sql, connections, change))
    },
    onConnect: () => inBackground(catchUp([...connections])),
  })
  const beat = async () => {
    for (const one of connections) one.ping()
    inBackground(listen())
    await catchUp([...connections])
    await presence.renew()
  }
  const enter = async (connection: LiveConnection) => {
    await listen()
    // Access that ended while the page was opened is not announced again.
    await catchUp([connection])
    if (connections.has(connection)) await presence.enter(connection)
  }
  const startTimers = () => {
    if (timers.length > 0) return
    timers = [
      // A heartbeat keeps proxies from closing the connections.
      setInterval(() => inBackground(beat()), heartbeatMs),
      // A database cannot say cheaply that a number has changed, so it is asked.
      setInterval(() => inBackground(counts.refresh()), countsMs),
    ]
  }
  const stopTimers = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }
  return {
    requireBelowConnectionLimit(member) {
      if (!isClosed && hasRoom(connections, member)) return
      throw new AppError('rate_limited', 'Too many pages are open.', { retryAfterSeconds: 60 })
    },
    open(connection) {
      connections.add(connection)
      startTimers()
      inBackground(enter(connection))
      return () => {
        connections.delete(connection)
        inBackground(presence.leave(connection))
        if (connections.size === 0) stopTimers()
      }
    },
    close() {
      isClosed = true
      for (const one of connections) one.close()
      stopTimers()
    },
  }
}

/** Listens for changes at the first call, and again at the next one after it has failed. */
function createListening({ sql, log }: LiveDeps, handlers: Parameters<typeof listenForChanges>[1]) {
  let listening: Promise<unknown> | undefined
  return () => {
    if (listening !== undefined) return listening
    listening = listenForChanges(sql, handlers)
    listening.catch((err: unknown) => {
      listening = undefined
      log.warn({ err }, 'cannot listen for changes; it is tried again')
    })
    return listening
  }
}

/** Whether a member can open one more page. */
function hasRoom(
  connections: ReadonlySet<LiveConnection>,
  { teamId, memberId }: Pick<LiveConnection, 'teamId' | 'memberId'>,
): boolean {
  const ofTeam = [...connections].filter((one) => one.teamId === teamId)
  const own = ofTeam.filter((one) => one.memberId === memberId)
  const isFull = connections.size >= maxConnections || ofTeam.length >= maxOfTeam
  return own.length < maxOfMember && !isFull
}
