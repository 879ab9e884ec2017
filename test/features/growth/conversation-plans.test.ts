import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  findConversationPeople,
  findUnreadText,
  purgeConversations,
} from '../../../src/features/conversations/index.ts'
import { createTeam } from '../../../src/features/teams/index.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { type ServiceContext, systemContext } from '../../../src/lib/context.ts'
import { createDatabase, type TestDatabase } from '../../support/database/database.ts'
import { rowsRead } from '../../support/database/rows-read.ts'

// Rows and index entries read are counted, so the result does not depend on the machine.

const people = 200
const threads = 20
const connectionId = 'con_of_a_chat'

let database: TestDatabase
let teamId: string
beforeAll(async () => {
  database = await createDatabase(1)
  const { sql } = database
  teamId = (await createTeam({ sql, now: systemClock }, { slug: 'acme', name: 'Acme' })).id
  await sql`alter table chat_conversations set (autovacuum_enabled = false)`
  // Only the conversations are of interest, not the connection.
  await sql`set session_replication_role = replica`
  await sql`
    insert into chat_conversations (team_id, connection_id, conversation, delivery_id, user_id,
      from_private, questions, texts, people, updated_at)
    select ${teamId}, ${connectionId}, person || ':' || thread, 'd_' || person || '_' || thread,
      'U' || person, false, 0, array['Text ' || thread], array[]::text[],
      now() - make_interval(secs => person * 100 + thread)
    from generate_series(1, ${people}::int) person, generate_series(1, ${threads}::int) thread`
  await sql`set session_replication_role = origin`
  await sql`analyze chat_conversations`
})
afterAll(async () => await database.drop())

async function readsOf(work: () => Promise<unknown>): Promise<number> {
  const before = await rowsRead(database.sql, 'chat_conversations')
  await work()
  return (await rowsRead(database.sql, 'chat_conversations')) - before
}

const service = (): ServiceContext => ({ sql: database.sql, now: systemClock })
const lookups: [name: string, work: () => Promise<unknown>][] = [
  [
    'the newest text of a person',
    async () => {
      const found = await findUnreadText(systemContext(service(), teamId), {
        connectionId,
        userId: `U${people}`,
      })
      expect(found?.text).toBe('Text 1')
    },
  ],
  [
    'the people of a conversation that has ended',
    async () => {
      const found = await findConversationPeople(systemContext(service(), teamId), {
        deliveryId: `d_${people}_3`,
      })
      expect(found?.userId).toBe(`U${people}`)
    },
  ],
  ['the conversations that are over', async () => await purgeConversations(service())],
]

test.each(lookups)(
  `%s: other rows of the ${people * threads} conversations of a chat are not read`,
  async (_, work) => expect(await readsOf(work)).toBeLessThan(8),
)
