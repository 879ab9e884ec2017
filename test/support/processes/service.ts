/**
 * The service as a process of its own, to be killed by a test. The environment names its DATABASE
 * (an address as JSON), its INGEST_URL and its AI_URL; it prints where it listens.
 */
import { adapter as discord } from '../../../integrations/discord/adapter.ts'
import { adapter as feed } from '../../../integrations/feed/adapter.ts'
import { adapter as googleChat } from '../../../integrations/google-chat/adapter.ts'
import { adapter as mattermost } from '../../../integrations/mattermost/adapter.ts'
import { adapter as slack } from '../../../integrations/slack/adapter.ts'
import { adapter as teams } from '../../../integrations/teams/adapter.ts'
import { onParentExit } from '../../../src/lib/parent-process.ts'
import { startPolling, startSockets } from '../../../src/webhooks/index.ts'
import { startApp } from '../app.ts'
import { createFakeAdapter } from '../providers/fake-provider.ts'
import { extendTimeLimits } from '../run/time-limits.ts'

const aiUrl = process.env['AI_URL'] ?? ''
extendTimeLimits()
onParentExit(() => process.exit())
const { base, forwarder } = await startApp({
  on: { database: { address: JSON.parse(process.env['DATABASE'] ?? '""') } },
  adapters: [createFakeAdapter().adapter, discord, feed, googleChat, mattermost, slack, teams],
  ingestUrl: process.env['INGEST_URL'] ?? '',
  ai: aiUrl ? { baseUrl: aiUrl, apiKey: null, model: 'test-model' } : null,
})
await startPolling(forwarder)
startSockets(forwarder, { baseUrl: base, allowedHosts: ['127.0.0.1'] })
process.stdout.write(`${base}\n`)
