import { expect, test } from 'bun:test'
import { adapter } from '../../integrations/mattermost/adapter.ts'
import { planMessages } from '../../src/forwarding/index.ts'
import { startApp } from '../support/app.ts'
import { startService } from '../support/crash.ts'
import { connectMattermost } from '../support/mattermost-bot.ts'
import { directOf, startMattermost } from '../support/mattermost-server.ts'
import { newsletterOf, send, unlimitedClient } from '../support/newsletters.ts'
import { until } from '../support/until.ts'

const people = ['one', 'two', 'three'].map((name) => name.padEnd(26, '0'))

test('every contributor in Mattermost gets one message, although SIGKILL ends the service while Mattermost takes the second', async () => {
  const server = startMattermost(Object.fromEntries(people.map((id) => [id, { username: id }])))
  const app = await startApp({ adapters: [adapter], forward: false })
  let service = await startService(app)
  try {
    const { team, command } = await connectMattermost(app, server)
    for (const user of people) await command(user, 'win', `A win of ${user}`)
    const blocks = () => app.sql<{ id: string }[]>`
      select block_id as id from block_contributors where team_id = ${team.id}`
    await until(async () => (await blocks()).length === people.length)
    const call = await unlimitedClient(app, team)
    const ids = (await blocks()).map(({ id }) => id)
    for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await send(call, await newsletterOf(call, ids))
    server.onPost(() => {
      if (server.posts.length === 2) service.process.kill('SIGKILL')
    })
    await planMessages({ ...app.forwarder, now: () => new Date(Date.now() + 11 * 60_000) })
    await service.process.exited
    expect(server.posts).toHaveLength(2)
    // Mattermost recognizes a repeated message for half a minute only.
    server.forget()
    // The clock of the test planned the messages later than Mattermost took them.
    await app.sql`update chat_messages set created_at = now() - interval '10 minutes' where team_id = ${team.id}`
    // The queue does not wait for the heartbeats of the process that died.
    await app.sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`
    service = await startService(app)
    await until(async () => {
      const rows = await app.sql`
        select status from chat_messages where team_id = ${team.id} and status = 'sent'`
      return rows.length === people.length
    })
    expect(server.posts.map(({ channel_id }) => channel_id).toSorted()).toEqual(
      people.map(directOf).toSorted(),
    )
    expect(server.faults).toEqual([])
  } finally {
    service.process.kill('SIGKILL')
    await app.close()
    await server.stop()
  }
})
