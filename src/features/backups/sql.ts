import type { Readable, Writable } from 'node:stream'
import type { Sql, Tx } from '../../lib/database/db.ts'

/** A table with the columns that can be written, and the tables it refers to. */
export interface BackupTable {
  name: string
  columns: string[]
  parents: string[]
}

/** Lets a long transaction read one state of the database, however much is written beside it. */
export async function useSnapshot(tx: Tx): Promise<void> {
  await tx`set transaction isolation level repeatable read, read only`
  await allowLongStatements(tx)
}

/** Lets the statements of a transaction, and the time between them, last as long as they need. */
export async function allowLongStatements(tx: Tx): Promise<void> {
  await tx`set local statement_timeout = 0`
  await tx`set local idle_in_transaction_session_timeout = 0`
}

/** Every table of the service but `migrations`, which restoring fills by itself. */
export async function selectTables(tx: Tx): Promise<BackupTable[]> {
  return await tx<BackupTable[]>`
    select class.relname as name,
      array_agg(attribute.attname::text order by attribute.attnum) as columns,
      array(
        select distinct parent.relname::text from pg_constraint reference
        join pg_class parent on parent.oid = reference.confrelid
        where reference.contype = 'f' and reference.conrelid = class.oid and parent.oid <> class.oid
      ) as parents
    from pg_class class
    join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r'
      and class.relname <> 'migrations'
      and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
    group by class.oid, class.relname
    order by class.relname`
}

/** The number of the newest migration of the database; 0 for none. */
export async function selectNewestMigration(tx: Tx): Promise<number> {
  const [row] = await tx<{ version: number }[]>`select max(version) as version from migrations`
  return row?.version ?? 0
}

/** The rows of a table as text, as `copy` writes them. */
export async function copyOut(
  tx: Tx,
  { name, columns }: Omit<BackupTable, 'parents'>,
): Promise<Readable> {
  return await tx`copy ${tx(name)} (${tx(columns)}) to stdout`.readable()
}

/** Takes the rows of a table as text, as `copy` has written them. */
export async function copyIn(
  tx: Tx,
  { name, columns }: Omit<BackupTable, 'parents'>,
): Promise<Writable> {
  return await tx`copy ${tx(name)} (${tx(columns)}) from stdin`.writable()
}

/** Enables or disables the triggers of a table: they must not count or refuse rows that are restored as they were. */
export async function setTriggers(
  tx: Tx,
  name: string,
  state: 'enable' | 'disable',
): Promise<void> {
  if (state === 'enable') await tx`alter table ${tx(name)} enable trigger user`
  else await tx`alter table ${tx(name)} disable trigger user`
}

/** Deletes all rows of a table. */
export async function deleteRows(tx: Tx, name: string): Promise<void> {
  await tx`delete from ${tx(name)}`
}

/** Whether anybody has used the installation: somebody has an account, or there is a team. */
export async function isUsed(tx: Tx): Promise<boolean> {
  const [row] = await tx<{ used: boolean }[]>`
    select exists (select from teams) or exists (select from accounts) as used`
  return row?.used ?? false
}

/** Counts the sessions of services on this database. */
export async function countServiceSessions(sql: Sql): Promise<number> {
  const [row] = await sql<{ sessions: number }[]>`
    select count(*)::int as sessions from pg_stat_activity
    where datname = current_database()
      and application_name in ('tidings', 'tidings key checks', 'tidings queue')`
  return row?.sessions ?? 0
}
