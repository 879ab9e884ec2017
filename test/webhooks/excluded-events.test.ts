import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import * as v from 'valibot'
import { loadAdapters } from '../../integrations/index.ts'
import { encode, loadFixtures, Sample } from '../../integrations/kit/fixtures/fixtures.ts'
import {
  createConnection,
  updateConnection,
  webhookUrl,
} from '../../src/features/connections/index.ts'
import { listDeliveries, replayDelivery } from '../../src/features/deliveries/index.ts'
import { systemContext } from '../../src/lib/context.ts'
import { readContext, startApp, type TestApp } from '../support/app.ts'
import { until } from '../support/until.ts'

const adapters = await loadAdapters()
let app: TestApp
beforeAll(async () => {
  app = await startApp({ adapters: [...adapters.values()] })
})
afterAll(() => app.close())

const folder = join(import.meta.dir, '../../integrations')

/** Sends a request of an adapter's fixtures to a new connection with the settings of that request. */
async function sendSample(slug: string, name: string) {
  const adapter = adapters.get(slug)
  if (adapter === undefined) throw new Error(`there is no adapter ${slug}`)
  const team = await app.team()
  const sample = v.parse(Sample, await Bun.file(join(folder, slug, `fixtures/${name}.json`)).json())
  const fixtures = await loadFixtures(slug)
  const settings = { ...fixtures.settings, ...sample.settings }
  const connection = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given: settings,
  })
  const body = encode(sample.body, sample.headers['content-type'])
  const headers = { ...sample.headers, ...(await fixtures.sign(body, settings, new Date())) }
  const url = webhookUrl(app.base, slug, connection.webhookToken)
  const response = await fetch(url, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
  const delivery = async () =>
    (await listDeliveries(readContext(app, team), { connectionId: connection.id }))[0]
  return {
    delivery,
    change: (changed: Record<string, string>) =>
      updateConnection(systemContext(app.forwarder, team.id), {
        adapter,
        id: connection.id,
        given: changed,
      }),
    /** Replays the delivery and returns it when it is settled again. */
    async replay() {
      const before = await delivery()
      await replayDelivery(systemContext(app.forwarder, team.id), before?.id ?? '')
      return await until(async () => {
        const now = await delivery()
        return now && now.attempts > (before?.attempts ?? 0) && now.status !== 'waiting' && now
      })
    },
    async blocks() {
      const rows = await app.sql`select 1 from content_blocks where team_id = ${team.id}`
      return rows.length
    },
  }
}

describe('events that a setting excludes', () => {
  test.each([
    ['github', 'release.published.private', { allow_private: 'true' }],
    ['github', 'release.published.internal', { allow_private: 'true' }],
    ['github', 'release.published.unlisted', { repositories: '' }],
    ['gitea', 'release.published.private', { allow_private: 'true' }],
    ['gitea', 'release.published.unlisted', { repositories: '' }],
    ['gitlab', 'release.create.unlisted', { projects: '' }],
    ['bitbucket', 'push.tag.private', { allow_private: 'true' }],
    ['bitbucket', 'push.tag.unlisted', { repositories: '' }],
    ['bitbucket', 'push.tag.unmatched', { tag_pattern: '*' }],
    ['jira', 'issue_updated.resolved.unlisted', { projects: '' }],
    ['jira', 'issue_updated.resolved.not_asked', { issue_labels: '*' }],
  ])(
    'the %s event %s that a setting excludes is ignored again by a replay, and becomes a block after %j',
    async (slug, name, changed) => {
      const sent = await sendSample(slug, name)
      expect(await sent.delivery()).toMatchObject({ status: 'ignored', replayable: true })

      expect(await sent.replay()).toMatchObject({ status: 'ignored', replayable: true })
      expect(await sent.blocks()).toBe(0)

      await sent.change(changed)
      expect(await sent.replay()).toMatchObject({ status: 'delivered' })
      expect(await sent.blocks()).toBe(1)
    },
  )

  test.each([
    ['github', 'release.published.prerelease'],
    ['jira', 'issue_updated.resolved.restricted'],
    ['bitbucket', 'push.branch'],
  ])(
    'the %s event %s, which no setting excludes, is not stored and cannot be replayed',
    async (slug, name) => {
      const sent = await sendSample(slug, name)
      expect(await sent.delivery()).toMatchObject({ status: 'ignored', replayable: false })
    },
  )
})
