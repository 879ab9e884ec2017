import { connect } from '../../src/lib/database/db.ts'
import { type Fault, lastsFor } from './fault.ts'

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where application_name like 'tidings%' and pid <> pg_backend_pid()`

const refuseBlocks = `
  create function soak_refuse() returns trigger language plpgsql as
    $$ begin raise exception 'out of memory' using errcode = 'out_of_memory'; end $$;
  create trigger soak_refuse before insert on content_blocks for each row execute function soak_refuse()`

/** Locks keys newest first, one after the other, as no statement of the service does. */
const lockKeysBackwards = `do $$ declare key uuid; begin
  for key in select id from api_keys order by id desc loop
    perform 1 from api_keys where id = key for update;
    perform 1 from api_key_usage where api_key_id = key for update;
    perform pg_sleep(0.05);
  end loop; end $$`

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

/** What happens to PostgreSQL and its disk. */
export const databaseFaults: readonly Fault[] = [
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
    name: 'another program locks keys in the opposite order for 12 s',
    restarts: false,
    async cause({ withDatabase }) {
      const endAt = Date.now() + 12_000
      while (Date.now() < endAt) await withDatabase((sql) => sql.unsafe(lockKeysBackwards))
    },
  },
  {
    name: 'the database has no memory for new blocks for 12 s',
    restarts: false,
    async cause({ withDatabase }) {
      await withDatabase((sql) => sql.unsafe(refuseBlocks))
      await lastsFor(12)
      await withDatabase((sql) => sql.unsafe('drop function soak_refuse cascade'))
    },
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
