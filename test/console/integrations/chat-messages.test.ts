import { afterAll, beforeAll, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { signedIn } from '../../support/console.ts'
import { connectTeam, startWorkspace } from '../../support/slack/slack-workspace.ts'
import { until } from '../../support/until.ts'

const workspace = startWorkspace({ U0MIRA: { name: 'Mira Solano' } })
let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [adapter] })
})
afterAll(async () => {
  await app.close()
  await workspace.stop()
})

test('an admin sees the messages of a connection with their state, and sends one again that failed', async () => {
  const { team, connectionId } = await connectTeam(app, workspace)
  const admin = await signedIn(app, team, 'admin')
  const path = `/integrations/${connectionId}/messages`
  expect((await admin.get(`/integrations/${connectionId}`)).html).toContain(`href="${path}"`)
  expect((await admin.get(path)).html).toContain('No messages yet.')
  await app.sql`
    insert into chat_messages (id, team_id, connection_id, kind, recipient, subject, data, status, reason, created_at)
    values ('cm_1', ${team.id}, ${connectionId}, 'declined', 'U0MIRA', 'cb_1', '{"title": "We moved"}', 'failed',
      'Slack refused the request.', now())`
  const { html } = await admin.get(path)
  expect(html).toContain('U0MIRA')
  expect(html).toContain('Declined news')
  expect(html).toContain('Slack refused the request.')
  const other = await signedIn(app, await app.team(), 'admin')
  expect((await other.get(path)).status).toBe(404)
  expect((await other.post('/integrations/messages/cm_1/retry')).status).toBe(404)
  await admin.post('/integrations/messages/cm_1/retry')
  await until(async () => (await admin.get(path)).html.includes('badge success'))
  expect(workspace.in('DU0MIRA')).toHaveLength(1)
  expect((await admin.post('/integrations/messages/cm_1/retry')).status).toBe(404)
})
