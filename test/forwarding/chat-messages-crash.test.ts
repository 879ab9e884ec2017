import { expect, test } from 'bun:test'
import { adapter } from '../../integrations/slack/adapter.ts'
import { planMessages } from '../../src/forwarding/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { startService } from '../support/crash.ts'
import { newsletterOf, send, unlimitedClient } from '../support/newsletters.ts'
import { connectTeam, startWorkspace } from '../support/slack-workspace.ts'
import { until } from '../support/until.ts'

const people = ['U0A', 'U0B', 'U0C', 'U0D']
const channels = ['C0SALES', 'C0WINS']

/** The channels of a connection are asked for news at a time. */
async function askAt(
  { sql }: TestApp,
  { teamId, connectionId, at }: { teamId: string; connectionId: string; at: Date },
): Promise<void> {
  const minute = at.getUTCHours() * 60 + at.getUTCMinutes()
  await sql`
    insert into prompt_schedules (team_id, connection_id, is_active, weekday, every_weeks, anchor_date,
      minute_of_day, time_zone, days_off, reminds_contributors, updated_at)
    values (${teamId}, ${connectionId}, true, ${at.getUTCDay() || 7}, 1, ${at}, ${minute}, 'UTC', '{}', false,
      now() - interval '1 hour')`
  for (const channel of channels)
    await sql`
      insert into prompt_channels (team_id, connection_id, channel)
      values (${teamId}, ${connectionId}, ${channel})`
}

test('every contributor gets one message and every channel one question, although SIGKILL ends the service while Slack takes the second', async () => {
  const workspace = startWorkspace(Object.fromEntries(people.map((id) => [id, { name: id }])))
  const app = await startApp({ adapters: [adapter], forward: false })
  let service = await startService(app)
  try {
    const { team, command, connectionId } = await connectTeam(app, workspace)
    for (const user of people) await command(user, '/win', `A win of ${user}`)
    const blocks = () => app.sql<{ id: string }[]>`
      select block_id as id from block_contributors where team_id = ${team.id}`
    await until(async () => (await blocks()).length === people.length)
    const call = await unlimitedClient(app, team)
    const ids = (await blocks()).map(({ id }) => id)
    for (const id of ids) await call('PATCH', `/content_blocks/${id}`, { status: 'ready' })
    await send(call, await newsletterOf(call, ids))
    workspace.onMessage(() => {
      if (workspace.messages.length === 2) service.process.kill('SIGKILL')
    })
    const at = new Date(Date.now() + 11 * 60_000)
    const later = () => at
    await askAt(app, { teamId: team.id, connectionId, at })
    await planMessages({ ...app.forwarder, now: later })
    await service.process.exited
    expect(workspace.messages).toHaveLength(2)
    // The queue does not wait for the heartbeats of the process that died.
    await app.sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`
    service = await startService(app)
    await until(async () => {
      const rows = await app.sql`
        select status from chat_messages where team_id = ${team.id} and status = 'sent'`
      return rows.length === people.length + channels.length
    })
    await planMessages({ ...app.forwarder, now: later })
    expect(workspace.messages.map(({ channel }) => channel).toSorted()).toEqual([
      ...channels,
      ...people.map((id) => `D${id}`),
    ])
  } finally {
    service.process.kill('SIGKILL')
    await app.close()
    await workspace.stop()
  }
})
