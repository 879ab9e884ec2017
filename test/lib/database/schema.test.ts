import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import * as vocabulary from '../../../src/contract/vocabulary.ts'
import { deliveryStatuses } from '../../../src/features/deliveries/index.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { dumpSchema } from '../../support/database/dump-schema.ts'

const file = fileURLToPath(new URL('../../../src/migrations/schema.sql', import.meta.url))

let database: TestDatabase

beforeAll(async () => {
  database = await createDatabase()
})

afterAll(() => database.drop())

test('schema.sql describes the database that the migrations create; "bun run schema" rewrites it', async () => {
  const schema = await dumpSchema(database.sql)
  if (process.env['WRITE_SCHEMA'] === 'yes') await Bun.write(file, schema)
  expect(await Bun.file(file).text()).toBe(schema)
})

const valueLists: [column: string, values: readonly string[]][] = [
  ['content_blocks.block_type', vocabulary.blockTypes],
  ['content_blocks.body_format', vocabulary.bodyFormats],
  ['content_blocks.image_size', vocabulary.imageSizes],
  ['content_blocks.source', vocabulary.blockSources],
  ['content_blocks.status', vocabulary.blockStatuses],
  ['deliveries.status', deliveryStatuses],
  ['events.category', vocabulary.eventCategories],
  ['images.type', ['jpeg', 'png']],
  ['members.role', vocabulary.memberRoles],
  ['newsletters.status', vocabulary.newsletterStatuses],
  ['preview_emails.status', ['queued', 'sent', 'failed']],
  ['teams.newsletter_cadence', vocabulary.newsletterCadences],
]

test.each(valueLists)(
  'a CHECK of the column or its domain allows in %s exactly the values of the code',
  async (column, values) => {
    const [table = '', name = ''] = column.split('.')
    const checks = await database.sql<{ definition: string }[]>`
    select pg_get_constraintdef(n.oid) as definition
    from pg_attribute a join pg_constraint n
      on n.contypid = a.atttypid or (n.conrelid = a.attrelid and n.conkey = array[a.attnum])
    where n.contype = 'c' and a.attrelid = ${table}::regclass and a.attname = ${name}`
    const allowed = checks.flatMap(({ definition }) =>
      [...definition.matchAll(/'([^']+)'/g)].map(([, value]) => value),
    )
    expect(allowed.toSorted()).toEqual([...values].toSorted())
  },
)

test('every text column named status, source, role, type, format, category or cadence has a CHECK, or its domain has', async () => {
  const unchecked = await database.sql<{ name: string }[]>`
    select c.relname || '.' || a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not a.attisdropped
      and a.attname ~ '(status|source|role|type|format|size|category|cadence)$'
      and not exists (select from pg_constraint n
        where n.contype = 'c' and (n.contypid = a.atttypid or (n.conrelid = c.oid and a.attnum = any(n.conkey))))
    order by 1`
  // A team names the categories of its own templates.
  expect(unchecked.map(({ name }) => name)).toEqual(['templates.category'])
})

test('every reference from a row with a team to a row with a team includes the team', async () => {
  const single = await database.sql<{ name: string }[]>`
    select n.conrelid::regclass || ': ' || pg_get_constraintdef(n.oid) as name
    from pg_constraint n
    where n.contype = 'f' and n.connamespace = 'public'::regnamespace
      and exists (select from pg_attribute a where a.attrelid = n.conrelid and a.attname = 'team_id')
      and exists (select from pg_attribute a where a.attrelid = n.confrelid and a.attname = 'team_id')
      and not exists (select from pg_attribute a
        where a.attrelid = n.conrelid and a.attname = 'team_id' and a.attnum = any(n.conkey))`
  expect(single.map(({ name }) => name)).toEqual([])
})

test('the database refuses a newsletter block that refers to another team’s content block', async () => {
  const { sql } = database
  await sql`
    insert into teams (id, slug, name, created_at)
    values ('team_a', 'a', 'A', now()), ('team_b', 'b', 'B', now())`
  await sql`
    insert into content_blocks (id, team_id, title, body, body_format, block_type, status, source, created_at, updated_at)
    values ('cb_1', 'team_a', 'x', 'x', 'text', 'general', 'ready', 'manual', now(), now())`
  await sql`
    insert into newsletters (id, team_id, title, template_slug, created_at, updated_at)
    values ('nl_1', 'team_b', 'x', 'clean', now(), now())`
  const insert = sql`
    insert into newsletter_blocks (id, team_id, newsletter_id, position, content_block_id)
    values ('nb_1', 'team_b', 'nl_1', 1, 'cb_1')`
  expect(
    insert.then(
      () => 'stored',
      (error) => error.code,
    ),
  ).resolves.toBe('23503')
})
