import { expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { startApp } from '../../support/app.ts'
import { startService } from '../../support/processes/crash.ts'
import { completion, startProvider } from '../../support/providers/ai-provider.ts'
import { connectTeam, startWorkspace } from '../../support/slack/slack-workspace.ts'
import { until } from '../../support/until.ts'

test('a message to the bot makes one block and gets one answer, although SIGKILL ends the service while the model reads it, while Slack is down, and while Slack takes the answer', async () => {
  const workspace = startWorkspace({ U0MIRA: { name: 'Mira Solano' } })
  const model = startProvider()
  const ai = { baseUrl: model.baseUrl, apiKey: null, model: 'test-model' }
  const app = await startApp({ adapters: [adapter], forward: false, ai })
  const restart = async () => {
    await service.process.exited
    // The queue does not wait for the heartbeats of the process that died.
    await app.sql`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`
    service = await startService(app, '', model.baseUrl)
  }
  let service = await startService(app, '', model.baseUrl)
  try {
    const { team, event } = await connectTeam(app, workspace)
    model.answer = () => {
      service.process.kill('SIGKILL')
      return new Response('', { status: 503 })
    }
    const at = { channel: 'DU0MIRA', ts: '1799.000100', event_ts: '1799.000100' }
    const message = { type: 'message', channel_type: 'im', user: 'U0MIRA', text: 'We moved', ...at }
    expect((await event(message)).status).toBe(200)
    await service.process.exited
    model.answer = () => completion({ intent: 'news', missing: 'nothing', parts: [] })
    workspace.failures.set('chat.postMessage', 'down')
    await restart()
    await until(async () => workspace.calls.includes('chat.postMessage'))
    service.process.kill('SIGKILL')
    workspace.failures.clear()
    workspace.onMessage(() => service.process.kill('SIGKILL'))
    await app.sql`update deliveries set notification_started_at = null`
    await restart()
    const untilDue = async () => {
      await app.sql`update pgboss.job set start_after = now() where state = 'retry'`
    }
    await until(async () => {
      await untilDue()
      return workspace.messages.length === 1
    })
    await restart()
    await until(async () => {
      await untilDue()
      const rows = await app.sql`select 1 from deliveries where notification is not null`
      return rows.length === 0
    })
    expect(workspace.messages.map(({ text }) => text)).toEqual([
      expect.stringContaining('We moved'),
    ])
    const blocks = await app.sql`select title from content_blocks where team_id = ${team.id}`
    expect(blocks.map(({ title }) => title)).toEqual(['We moved'])
    expect(model.calls).toHaveLength(2)
  } finally {
    service.process.kill('SIGKILL')
    await app.close()
    await workspace.stop()
    await model.close()
  }
})
