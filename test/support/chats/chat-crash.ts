import { expect } from 'bun:test'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { planMessages } from '../../../src/forwarding/index.ts'
import { startApp, type TestApp } from '../app.ts'
import { signedIn } from '../console.ts'
import { blockOf, newsletterOf, send, unlimitedClient } from '../newsletters.ts'
import { startService } from '../processes/crash.ts'
import { until } from '../until.ts'
import { scheduleQuestions } from './questions.ts'

/** A chat whose people have written news to the bot. */
interface ChatUnderTest {
  team: Team
  /** How many people have written one item each. */
  people: number
  /** The channels in which the chat asks for news. */
  askedChannels?: readonly string[]
  connectionId: string
  /** A connection of another team, and the channel to which it posts a newsletter. */
  posting: { team: Team; connectionId: string; channel: string }
  /** What happens in the chat while the service is down. */
  whileDown?: () => void
  /** The messages that the chat has taken. */
  messages: readonly unknown[]
  onMessage(listener: () => void | Promise<void>): void
}

/**
 * Sends a newsletter with the news of all people of each chat, asks its channels for news, and posts a newsletter of
 * another team; kills the service with SIGKILL while each chat has taken that newsletter and its second other message and
 * confirmed neither, and starts it again until everything is settled. `connect` connects the chats to the app, and lets
 * their people write; there are at most four chats, because a process sends four messages and four newsletters at a time.
 */
export async function crashWhileSending(
  adapters: Adapter[],
  connect: (app: TestApp) => Promise<ChatUnderTest[]>,
  check: (app: TestApp) => Promise<void>,
): Promise<void> {
  const app = await startApp({ adapters, forward: false })
  let service = await startService(app)
  try {
    const chats = await connect(app)
    for (const { team, people } of chats) await sendNewsletter(app, team, people)
    const at = new Date(Date.now() + 11 * 60_000)
    const later = () => at
    for (const chat of chats) await scheduleQuestions(app, chat, at)
    const killed = killWhileSending(chats, service.process)
    for (const { posting } of chats) await postNewsletter(app, posting)
    await planMessages({ ...app.forwarder, now: later })
    await killed
    expect(chats.map(({ messages }) => messages.length)).toEqual(chats.map(() => 3))
    for (const { whileDown } of chats) whileDown?.()
    // The clock of the test planned the messages later than the chats took them.
    await app.sql`update chat_messages set created_at = now() - interval '10 minutes'`
    // The queue does not wait for the heartbeats of the process that died.
    await app.sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`
    service = await startService(app)
    const count = chats.reduce(
      (sum, { people, askedChannels = [] }) => sum + people + askedChannels.length,
      chats.length,
    )
    await until(async () => {
      await app.sql`update pgboss.job set start_after = now() where state = 'retry'`
      const rows = await app.sql`
        select 1 from chat_messages where status in ('sent', 'unknown')
        union all select 1 from newsletter_posts where status in ('posted', 'unknown')`
      return rows.length === count
    })
    await planMessages({ ...app.forwarder, now: later })
    await check(app)
  } finally {
    service.process.kill('SIGKILL')
    await app.close()
  }
}

/** Kills the service once each chat has taken its newsletter and its second other message; resolves when it is dead. */
function killWhileSending(chats: readonly ChatUnderTest[], service: Bun.Subprocess): Promise<void> {
  const killed = service.exited.then(() => {})
  let interrupted = 0
  for (const { messages, onMessage, posting } of chats) {
    const isNewsletter = (message: unknown) => JSON.stringify(message).includes(posting.channel)
    onMessage(() => {
      const others = messages.filter((message) => !isNewsletter(message))
      if (!isNewsletter(messages.at(-1)) && others.length !== 2) return
      interrupted += 1
      if (interrupted === 2 * chats.length) service.kill('SIGKILL')
      return killed
    })
  }
  return killed
}

async function postNewsletter(
  app: TestApp,
  { team, connectionId }: ChatUnderTest['posting'],
): Promise<void> {
  const call = await unlimitedClient(app, team)
  const path = await newsletterOf(call, [await blockOf(call)])
  await send(call, path)
  const editor = await signedIn(app, team, 'editor')
  await editor.get(`${path}/export`)
  await editor.post(`${path}/posts`, { connection: connectionId })
}

/** Sends a newsletter with the news of so many people, once it is stored who has written it. */
async function sendNewsletter(app: TestApp, team: Team, people: number): Promise<void> {
  const blocks = () => app.sql<{ id: string }[]>`
    select block_id as id from block_contributors where team_id = ${team.id}`
  await until(async () => (await blocks()).length === people)
  const call = await unlimitedClient(app, team)
  const ids = (await blocks()).map(({ id }) => id)
  for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
  await send(call, await newsletterOf(call, ids))
}
