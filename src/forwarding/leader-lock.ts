import { connect, type DatabaseAddress, withDeadline } from '../lib/db.ts'
import { locks } from '../lib/locks.ts'

const trustMs = 1_000
const checkTimeoutMs = 2_000

export interface LeaderLock {
  /** True while this process is the one that forwards. Asks the database at most once a second. */
  acquire(): Promise<boolean>
  release(): Promise<void>
}

/**
 * A lock that one process on the database has at a time (a session-level advisory lock). It is gone
 * with the connection that took it, so it is on a connection of its own and is asked for again and
 * again: who has it gets it once more, and who lost it learns so.
 */
export function createLeaderLock(database: DatabaseAddress): LeaderLock {
  let trustedUntil = 0
  const open = () =>
    connect(database, {
      name: 'tidings forwarder',
      max: 1,
      // A machine that vanished must not hold the lock for two hours.
      session: { tcp_keepalives_idle: 5, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 },
      onClose: () => {
        trustedUntil = 0
      },
    })
  let sql = open()

  async function ask(): Promise<boolean> {
    const asked = sql<{ held: boolean }[]>`select pg_try_advisory_lock(${locks.forwarding}) as held`
    const [row] = await withDeadline(asked, checkTimeoutMs)
    return row?.held === true
  }

  return {
    async acquire() {
      if (performance.now() < trustedUntil) return true
      try {
        const held = await ask()
        trustedUntil = held ? performance.now() + trustMs : 0
        return held
      } catch (error) {
        // The driver can leave a query pending for ever after an outage, and the next ones behind it.
        const broken = sql
        sql = open()
        await broken.end({ timeout: 0 })
        throw error
      }
    },
    release: () => sql.end({ timeout: 1 }),
  }
}
