import { expect, test } from 'bun:test'
import { adapter } from '../../integrations/discord/adapter.ts'
import { planMessages } from '../../src/forwarding/index.ts'
import { startApp } from '../support/app.ts'
import { startService } from '../support/crash.ts'
import { connectDiscord } from '../support/discord-bot.ts'
import { startDiscord } from '../support/discord-server.ts'
import { newsletterOf, send, unlimitedClient } from '../support/newsletters.ts'
import { until } from '../support/until.ts'

const people = ['301', '302', '303']

test('every contributor in Discord gets one message, although SIGKILL ends the service while Discord takes the second', async () => {
  const server = startDiscord(Object.fromEntries(people.map((id) => [id, { name: `P${id}` }])))
  const app = await startApp({ adapters: [adapter], forward: false })
  let service = await startService(app)
  try {
    const { team, command } = await connectDiscord(app, server)
    for (const user of people) await command(user, 'win', `A win of ${user}`)
    const blocks = () => app.sql<{ id: string }[]>`
      select block_id as id from block_contributors where team_id = ${team.id}`
    await until(async () => (await blocks()).length === people.length)
    const call = await unlimitedClient(app, team)
    const ids = (await blocks()).map(({ id }) => id)
    for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await send(call, await newsletterOf(call, ids))
    server.onMessage(() => {
      if (server.messages.length === 2) service.process.kill('SIGKILL')
    })
    await planMessages({ ...app.forwarder, now: () => new Date(Date.now() + 11 * 60_000) })
    await service.process.exited
    expect(server.messages).toHaveLength(2)
    // The queue does not wait for the heartbeats of the process that died.
    await app.sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`
    service = await startService(app)
    await until(async () => {
      const rows = await app.sql`
        select status from chat_messages where team_id = ${team.id} and status = 'sent'`
      return rows.length === people.length
    })
    expect(server.messages.map(({ channel_id }) => channel_id).toSorted()).toEqual(
      people.map((id) => `9${id}`),
    )
    expect(server.faults).toEqual([])
  } finally {
    service.process.kill('SIGKILL')
    await app.close()
    await server.stop()
  }
})
