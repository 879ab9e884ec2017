import { connect } from '../../src/lib/database/db.ts'
import type { Installation } from './installation.ts'

/** A fault: it begins, lasts, and is over when the promise resolves. */
export interface Fault {
  name: string
  /** True when the process of the service ends with it. */
  restarts: boolean
  cause(installation: Installation): Promise<void>
}

/** How long a condition lasts is the fault itself. */
const lastsFor = (seconds: number) => Bun.sleep(seconds * 1000)

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'tidings%' and pid <> pg_backend_pid()`

const lockTable = (table: string): Fault => ({
  name: `the table ${table} is locked for 12 s`,
  restarts: false,
  cause: ({ withDatabase }) =>
    withDatabase((sql) =>
      sql.unsafe(
        `do $$ begin lock table ${table} in access exclusive mode; perform pg_sleep(12); end $$`,
      ),
    ),
})

const mailFault = (behavior: 'hangs' | 'drops' | 'asks to try later'): Fault => ({
  name: `the mail server ${behavior} for 50 s`,
  restarts: false,
  async cause({ mailServer }) {
    mailServer.behave(behavior)
    await lastsFor(50)
    mailServer.behave('works')
  },
})

const databaseFaults: Fault[] = [
  {
    name: 'kill -9 of PostgreSQL',
    restarts: false,
    cause: async ({ postmaster }) => void process.kill(await postmaster(), 'SIGKILL'),
  },
  {
    name: 'PostgreSQL stops',
    restarts: false,
    cause: async ({ postmaster }) => void process.kill(await postmaster(), 'SIGINT'),
  },
  {
    name: 'PostgreSQL is frozen for 8 s',
    restarts: false,
    async cause({ postmaster }) {
      const pid = await postmaster()
      const children = await Bun.$`pgrep -P ${pid}`.nothrow().text()
      const all = [pid, ...children.trim().split('\n').map(Number)]
      const signal = (name: NodeJS.Signals) => {
        for (const each of all) {
          try {
            process.kill(each, name)
          } catch {
            // The session has ended meanwhile.
          }
        }
      }
      signal('SIGSTOP')
      await lastsFor(8)
      signal('SIGCONT')
    },
  },
  {
    name: 'all sessions of the database end',
    restarts: false,
    cause: ({ withDatabase }) => withDatabase((sql) => sql.unsafe(endSessions)),
  },
  lockTable('content_blocks'),
  lockTable('api_key_usage'),
  lockTable('deliveries'),
  {
    name: 'a forgotten transaction has locked all keys and connections for 15 s',
    restarts: false,
    cause: ({ withDatabase }) =>
      withDatabase((sql) =>
        // The fault is a transaction of another program, so the limits of `transaction()` do not apply.
        sql.begin(async (tx) => {
          await tx`select 1 from api_keys for update`
          await tx`select 1 from connections for update`
          await lastsFor(15)
        }),
      ),
  },
  {
    name: 'other programs use all connections of the database for 15 s',
    restarts: false,
    async cause({ address, withDatabase }) {
      const others = Array.from({ length: 130 }, () => connect(address, { name: 'soak', max: 1 }))
      const wait = Promise.all(others.map((sql) => sql`select 1`.catch(() => {})))
      await withDatabase((sql) => sql.unsafe(endSessions))
      await wait
      await Promise.all(others.map((sql) => sql`select 1`.catch(() => {})))
      await lastsFor(15)
      await Promise.all(others.map((sql) => sql.end({ timeout: 1 })))
    },
  },
  {
    name: 'the database is read-only for 12 s',
    restarts: false,
    async cause({ withDatabase }) {
      const set = (value: string) =>
        withDatabase(async (sql) => {
          await sql.unsafe(`alter system set default_transaction_read_only = ${value}`)
          await sql`select pg_reload_conf()`
        })
      await set('on')
      await lastsFor(12)
      await set('off')
    },
  },
  {
    name: 'the disk is full for 12 s',
    restarts: false,
    async cause({ disk }) {
      await disk.fill?.()
      await lastsFor(12)
      await disk.free()
    },
  },
]

const otherFaults: Fault[] = [
  {
    name: 'the service is frozen for 5 s',
    restarts: false,
    async cause({ service }) {
      service().process.kill('SIGSTOP')
      await lastsFor(5)
      service().process.kill('SIGCONT')
    },
  },
  {
    name: 'standard output is not read for 45 s',
    restarts: false,
    async cause({ service }) {
      service().pauseOutput()
      await lastsFor(45)
      service().resumeOutput()
    },
  },
  mailFault('hangs'),
  mailFault('drops'),
  mailFault('asks to try later'),
  {
    name: 'every second response of ingest is lost for 20 s',
    restarts: false,
    async cause({ proxy }) {
      proxy.loseResponses(true)
      await lastsFor(20)
      proxy.loseResponses(false)
    },
  },
]

const restartFaults: Fault[] = [
  {
    name: 'kill -9 of the service at a random moment',
    restarts: true,
    async cause({ restart }) {
      await lastsFor(Math.random() * 5)
      await restart('SIGKILL')
    },
  },
  {
    name: 'kill -9 of the service and of PostgreSQL',
    restarts: true,
    async cause({ restart, postmaster }) {
      process.kill(await postmaster(), 'SIGKILL')
      await restart('SIGKILL')
    },
  },
  {
    name: 'kill -9 three times while it starts',
    restarts: true,
    async cause({ restart, service, start }) {
      service().process.kill('SIGKILL')
      for (let times = 0; times < 3; times++) {
        await service().exited
        start()
        await lastsFor(Math.random() * 3)
        service().process.kill('SIGKILL')
      }
      await restart('SIGKILL')
    },
  },
  { name: 'stop and start', restarts: true, cause: ({ restart }) => restart('SIGTERM') },
  {
    name: 'standard output is closed',
    restarts: true,
    cause: ({ service }) => service().closeOutput(),
  },
]

/** All faults, in the order in which a soak causes them. */
export const faults: readonly Fault[] = [...databaseFaults, ...otherFaults, ...restartFaults]
