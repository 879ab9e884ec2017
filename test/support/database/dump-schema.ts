import type { Sql } from '../../../src/lib/database/db.ts'

/**
 * The schema of a database as text: domains, functions, tables with columns, constraints, indexes and
 * triggers, each sorted by name. Read from the catalog, since `pg_dump` is not part of the embedded
 * PostgreSQL. Two databases with the same text have the same schema.
 */
export async function dumpSchema(sql: Sql): Promise<string> {
  const [domains, functions, tables] = await Promise.all([
    selectDomains(sql),
    selectFunctions(sql),
    selectTables(sql),
  ])
  const described = await Promise.all(tables.map((table) => describeTable(sql, table)))
  return `${[...domains, ...functions, ...described].join('\n\n')}\n`
}

async function selectDomains(sql: Sql): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select concat_ws(' ', format('create domain %I as %s', t.typname, format_type(t.typbasetype, t.typtypmod)),
      case when t.typcollation <> base.typcollation then format('collate %I', c.collname) end,
      (select string_agg(format('constraint %I %s', n.conname, pg_get_constraintdef(n.oid)), ' ' order by n.conname)
        from pg_constraint n where n.contypid = t.oid)) || ';' as text
    from pg_type t join pg_type base on base.oid = t.typbasetype
      left join pg_collation c on c.oid = t.typcollation
    where t.typtype = 'd' and t.typnamespace = 'public'::regnamespace
    order by t.typname`
  return rows.map(({ text }) => text)
}

async function selectFunctions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select pg_get_functiondef(oid) || ';' as text from pg_proc
    where pronamespace = 'public'::regnamespace order by proname`
  return rows.map(({ text }) => text)
}

async function selectTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`
  return rows.map(({ name }) => name)
}

async function describeTable(sql: Sql, table: string): Promise<string> {
  const [columns, constraints, indexes, triggers] = await Promise.all([
    selectColumns(sql, table),
    selectConstraints(sql, table),
    selectIndexes(sql, table),
    selectTriggers(sql, table),
  ])
  const body = [...columns, ...constraints].map((line) => `  ${line}`).join(',\n')
  return [`create table ${table} (\n${body}\n);`, ...indexes, ...triggers].join('\n')
}

// Sorted by name: the order of columns depends on which migration added them.
async function selectColumns(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod),
      case when c.collname is not null and a.attcollation <> t.typcollation then format('collate %I', c.collname) end,
      case when a.attgenerated = 's' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
        when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
      case when a.attnotnull then 'not null' end) as text
    from pg_attribute a join pg_type t on t.oid = a.atttypid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      left join pg_collation c on c.oid = a.attcollation
    where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attname`
  return rows.map(({ text }) => text)
}

async function selectConstraints(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select format('constraint %I %s', conname, pg_get_constraintdef(oid)) as text
    from pg_constraint
    where conrelid = ${table}::regclass and contype in ('p', 'u', 'f', 'c') order by conname`
  return rows.map(({ text }) => text)
}

async function selectIndexes(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select pg_get_indexdef(i.indexrelid) || ';' as text
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = ${table}::regclass
      and not exists (select from pg_constraint n where n.conindid = i.indexrelid and n.contype in ('p', 'u'))
    order by c.relname`
  return rows.map(({ text }) => text)
}

async function selectTriggers(sql: Sql, table: string): Promise<string[]> {
  const rows = await sql<{ text: string }[]>`
    select pg_get_triggerdef(oid) || ';' as text from pg_trigger
    where tgrelid = ${table}::regclass and not tgisinternal order by tgname`
  return rows.map(({ text }) => text)
}
