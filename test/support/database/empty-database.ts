import type { Sql } from '../../../src/lib/database/db.ts'

/** What a database contained before a test used it. */
export interface FirstState {
  /** Changes when a table, column, trigger, function or setting is created or changed. */
  schema: string
  /** The rows of the tables that are not empty, as JSON, by table. */
  rows: ReadonlyMap<string, string>
}

// Rows that were deleted stay in the files until a vacuum, and reading them takes time.
const maxBytes = 2_000_000

/** Reads the state of a database that no test has used yet. */
export async function readFirstState(sql: Sql): Promise<FirstState> {
  const filled = await filledTables(sql)
  const rows = await Promise.all(
    filled.map(async ({ name }) => {
      const [row] = await sql.unsafe<{ json: string }[]>(
        `select json_agg(one)::text as json from ${name} one`,
      )
      return [name, row?.json ?? '[]'] as const
    }),
  )
  return { schema: await readSchema(sql), rows: new Map(rows) }
}

/**
 * Brings a database back to its first state. False when that is not possible: because of a changed schema,
 * many rows, or sessions that still work.
 */
export async function emptyDatabase(sql: Sql, first: FirstState): Promise<boolean> {
  const filled = await filledTables(sql)
  const bytes = filled.reduce((total, table) => total + table.bytes, 0)
  if (bytes > maxBytes || (await isUsed(sql)) || (await readSchema(sql)) !== first.schema)
    return false
  // Together they are one transaction.
  const statements = [
    // Without triggers and checks of foreign keys.
    'set local session_replication_role = replica',
    ...filled.map(({ name }) => `delete from ${name}`),
    ...[...first.rows].map(
      ([name, json]) =>
        `insert into ${name} select * from json_populate_recordset(null::${name}, '${json.replaceAll("'", "''")}')`,
    ),
  ]
  await sql.unsafe(statements.join(';\n')).simple()
  return true
}

/** The tables that have or had rows. */
const filledTables = (sql: Sql) => sql<{ name: string; bytes: number }[]>`
  select format('%I.%I', nspname, relname) as name, pg_relation_size(c.oid)::int as bytes
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind = 'r' and nspname in ('public', 'pgboss') and pg_relation_size(c.oid) > 0`

/** True while another session runs a statement, has a transaction open or holds a lock. */
async function isUsed(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ used: boolean }[]>`
    select exists (
      select from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and state <> 'idle'
    ) or exists (
      select from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())
    ) as used`
  return row?.used ?? true
}

const catalogs = 'pg_class pg_attribute pg_constraint pg_trigger pg_proc pg_index pg_namespace'

/** How many objects there are, which transaction changed one last, the planner's row counts, and settings. */
async function readSchema(sql: Sql): Promise<string> {
  const changes = catalogs
    .split(' ')
    .map((name) => `(select concat(count(*), '/', max(xmin::text::bigint)) from ${name})`)
  const [row] = await sql.unsafe<{ schema: string }[]>(
    `select concat_ws(' ', ${changes.join(', ')},
      (select sum(reltuples) from pg_class where relkind = 'r'),
      (select string_agg(setconfig::text, ' ') from pg_db_role_setting
        where setdatabase = (select oid from pg_database where datname = current_database()))) as schema`,
    [],
    { prepare: true },
  )
  return row?.schema ?? ''
}
