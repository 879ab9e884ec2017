import { afterAll, beforeAll, expect, test } from 'bun:test'
import { deleteInSlices } from '../../../src/lib/database/delete-in-slices.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'

const document = new URL('../../../docs/scaling.md', import.meta.url)

let database: TestDatabase
let distributed: string[]
let reference: string[]
let local: string[]
beforeAll(async () => {
  database = await createDatabase()
  const text = await Bun.file(document).text()
  const namesOf = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)
  distributed = namesOf(/create_distributed_table\('(\w+)', 'team_id'/g)
  reference = namesOf(/create_reference_table\('(\w+)'\)/g)
  const [, list = ''] = /Local tables: ([^.]+)\./.exec(text) ?? []
  local = [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
})
afterAll(() => database.drop())

test('docs/scaling.md says of every table whether it is distributed, a reference table or local', async () => {
  const tables = await database.sql<{ name: string }[]>`
    select relname::text as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const said = [...distributed, ...reference, ...local]
  expect(said.toSorted()).toEqual(tables.map(({ name }) => name).toSorted())
})

test('a deletion in slices deletes no row that has the same position in another shard', async () => {
  const { sql } = database
  // The parts of a partitioned table have positions of their own, as shards do.
  await sql.unsafe(`
    create table parts (part integer, is_old boolean) partition by list (part);
    create table parts_1 partition of parts for values in (1);
    create table parts_2 partition of parts for values in (2);
    insert into parts values (1, true), (1, false), (2, false), (2, true)`)
  try {
    expect(await deleteInSlices(sql, 'parts', sql`is_old`)).toBe(2)
    expect([...(await sql`select part, is_old from parts order by part`)]).toEqual([
      { part: 1, is_old: false },
      { part: 2, is_old: false },
    ])
  } finally {
    await sql`drop table parts`
  }
})

test('every unique key of a distributed table includes its team, which is never null', async () => {
  const keys = await database.sql<{ name: string }[]>`
    select class.relname || ': ' || pg_get_indexdef(index.indexrelid) as name
    from pg_index index join pg_class class on class.oid = index.indrelid
    join pg_attribute team on team.attrelid = class.oid and team.attname = 'team_id'
    where class.relname in ${database.sql(distributed)}
      and (not team.attnotnull or index.indisunique and not team.attnum = any(index.indkey))`
  expect(keys.map(({ name }) => name)).toEqual([])
})

test('a distributed table refers to rows of its own team or to reference tables, and nothing refers to it from elsewhere', async () => {
  const references = await database.sql<{ name: string }[]>`
    select n.conrelid::regclass || ': ' || pg_get_constraintdef(n.oid) as name
    from pg_constraint n
    join pg_class child on child.oid = n.conrelid join pg_class parent on parent.oid = n.confrelid
    where n.contype = 'f' and n.connamespace = 'public'::regnamespace and (
      child.relname in ${database.sql(distributed)} and not (
        parent.relname in ${database.sql(reference)}
        or parent.relname in ${database.sql(distributed)} and exists (
          select from pg_attribute a where a.attrelid = child.oid and a.attname = 'team_id' and a.attnum = any(n.conkey)))
      or child.relname in ${database.sql([...reference, ...local])}
        and parent.relname in ${database.sql(distributed)}
      or child.relname in ${database.sql(reference)} and parent.relname in ${database.sql(local)})`
  expect(references.map(({ name }) => name)).toEqual([])
})
