import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { adapter as mattermost } from '../../integrations/mattermost/adapter.ts'
import { client } from '../support/app.ts'
import { signedIn } from '../support/console.ts'
import { type Installation, install } from '../support/processes/cli.ts'
import { type FakeProvider, startProvider } from '../support/providers/ai-provider.ts'
import { apiOperations } from './api-operations.ts'
import { consoleOperations } from './console-operations.ts'
import type { AuditSetup, OperationCase, RecordedOperation } from './operation.ts'

let provider: FakeProvider
let at: Installation
let setup: AuditSetup

beforeAll(async () => {
  provider = startProvider()
  const ai = { baseUrl: provider.baseUrl, apiKey: null, model: 'test-model' }
  at = await install({ adapters: [github, mattermost], forward: false, ai })
  const { app, tidings } = at
  const team = await app.team()
  const api = client(app.base, await app.key(team, ['read', 'write', 'send_preview']))
  setup = { app, team, api, admin: await signedIn(app, team, 'admin'), tidings }
})
afterAll(async () => {
  await at.remove()
  await provider.close()
})

/** A client with a key of its own, because the limit of one key is smaller than this test. */
async function withNewKey(): Promise<AuditSetup> {
  const { app, team } = setup
  await app.sql`
    update api_keys set expires_at = now() where team_id = ${team.id} and name = 'test key'`
  return { ...setup, api: client(app.base, await app.key(team, ['read', 'write', 'send_preview'])) }
}

const recordedOf = (table: Record<string, OperationCase | readonly RecordedOperation[]>) =>
  Object.entries(table).flatMap(([name, found]) =>
    [found]
      .flat()
      .flatMap((one) =>
        typeof one === 'string' ? [] : [[`${name} (${one.actions.join(', ')})`, one] as const],
      ),
  )

describe('Simultaneous changes', () => {
  test.each([
    ...recordedOf(apiOperations).map(([name, one]) => [`${name} with an API key`, one] as const),
    ...recordedOf(consoleOperations).map(([name, one]) => [`${name} in the console`, one] as const),
  ])(
    'the same change, sent four times at the same moment, gets no 500: %s',
    async (_, operation) => {
      const run = await operation.prepare(await withNewKey())
      const results = await Promise.all([run(), run(), run(), run()])
      const failed = results.filter(
        (result) =>
          typeof result === 'object' &&
          result &&
          'status' in result &&
          Number(result.status) >= 500,
      )
      expect(failed).toEqual([])
    },
  )
})
