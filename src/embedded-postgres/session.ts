import postgres from 'postgres'
import type { Cluster } from './cluster.ts'
import { codeOf, EmbeddedError } from './failure.ts'

// Advisory locks of the database `tidings`: every process that uses it shares the first; the one
// service has the second. PostgreSQL releases them when the session ends, also after kill -9.
const lockSpace = 7_411
const usersLock = 1
const serviceLock = 2

/** A connection that shows that this process uses the database as long as it is open. */
export interface Session {
  /** Resolves when the connection is closed. */
  lost: Promise<void>
  /**
   * Makes this the session of the one service, with `name` (at most 63 bytes) as its name in
   * PostgreSQL. Returns the name of the present service instead when there is one.
   */
  becomeService(name: string): Promise<string | undefined>
  /**
   * Releases the lock of this process. True when no other process uses the database; none can start
   * to use it then.
   */
  unregister(): Promise<boolean>
  end(): Promise<void>
}

/** `absent`: no server answers at the socket. `busy`: a server is starting or stopping. */
type Joining = Session | 'absent' | 'busy'

const absent = ['ENOENT', 'ECONNREFUSED']
const busy = [
  ...['57P01', '57P02', '57P03'], // going down, crashed, starting up or going down
  ...['55P03', '53300'], // the last user is about to stop it; no connection free
  ...['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'ECONNRESET', 'EPIPE'],
]

/**
 * Connects to the database. Throws when the server refuses for a reason that a retry does not
 * change.
 */
export async function joinSession(cluster: Cluster, name: string): Promise<Joining> {
  const { promise: lost, resolve: lose } = Promise.withResolvers<void>()
  const sql = postgres({
    ...cluster.connection,
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: 5,
    fetch_types: false,
    connection: { application_name: name, lock_timeout: 1_000 },
    onclose: () => lose(),
  })
  try {
    const [row] = await sql<{ data: string }[]>`
      select pg_advisory_lock_shared(${lockSpace}, ${usersLock}),
             current_setting('data_directory') as data`
    if (row?.data !== cluster.data)
      throw new EmbeddedError(
        `The PostgreSQL at ${cluster.connection.host} serves ${row?.data}, not ${cluster.data}: stop it and start again.`,
      )
  } catch (error) {
    await sql.end({ timeout: 0 })
    if (absent.includes(codeOf(error))) return 'absent'
    if (busy.includes(codeOf(error))) return 'busy'
    throw error
  }
  return {
    lost,
    becomeService: (serviceName) => becomeService(sql, serviceName),
    unregister: () => unregister(sql),
    end: () => sql.end({ timeout: 1 }),
  }
}

async function becomeService(sql: postgres.Sql, name: string): Promise<string | undefined> {
  for (;;) {
    try {
      // One statement, so that the name and the lock are always set together.
      await sql`
        select set_config('application_name', ${name}, false),
               pg_advisory_lock(${lockSpace}, ${serviceLock})`
      return undefined
    } catch (error) {
      if (codeOf(error) !== '55P03') throw error
    }
    const [holder] = await sql<{ application_name: string }[]>`
      select application_name
        from pg_locks
        join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted
         and classid = ${lockSpace}::int4::oid and objid = ${serviceLock}::int4::oid`
    if (holder !== undefined) return holder.application_name
  }
}

async function unregister(sql: postgres.Sql): Promise<boolean> {
  await sql`select pg_advisory_unlock_shared(${lockSpace}, ${usersLock})`
  const [row] = await sql<{ last: boolean }[]>`
    select pg_try_advisory_lock(${lockSpace}, ${usersLock}) as last`
  return row?.last === true
}
