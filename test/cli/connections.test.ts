import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import * as v from 'valibot'
import { adapter as github } from '../../integrations/github/adapter.ts'
import { sign as signGitHub } from '../../integrations/github/fixtures/sign.ts'
import { adapter as notion } from '../../integrations/notion/adapter.ts'
import { type Installation, install } from '../support/processes/cli.ts'
import { until } from '../support/until.ts'

const adapters = [github, notion]
const sampleOf = (slug: string, name: string) =>
  fileURLToPath(new URL(`../../integrations/${slug}/fixtures/${name}.json`, import.meta.url))

let at: Installation
const team = ['--team', 'acme']
beforeAll(async () => {
  at = await install({ adapters })
  await at.tidings('team', 'create', '--slug', 'acme', '--name', 'Acme')
})
afterAll(() => at.remove())

const PrintedConnection = v.looseObject({
  id: v.string(),
  url: v.string(),
  key_prefix: v.string(),
  generated: v.looseObject({ secret: v.optional(v.string()) }),
})
const PrintedKey = v.looseObject({ key_prefix: v.string() })
const PrintedDeliveries = v.array(v.looseObject({ id: v.string(), status: v.string() }))
const PrintedAdapters = v.array(v.looseObject({ slug: v.string() }))

/** A new connection, as the command line prints it. */
async function connect(adapter: string, ...settings: string[]) {
  const set = settings.flatMap((setting) => ['--set', setting])
  const made = ['connection', 'create', ...team, '--adapter', adapter, ...set, '--json']
  const connection = (await at.tidings(...made)).as(PrintedConnection)
  return { ...connection, webhookUrl: at.app.base + new URL(connection.url).pathname }
}

describe('Commands for connections', () => {
  test('a connection is created, changed and removed, and its secrets are never shown', async () => {
    const made = await connect('github', 'secret=first-canary', 'repositories=acme/web')
    expect(made.url).toStartWith('http://tidings.test/hooks/github/')
    const id = ['--id', made.id]
    const changes = ['--set', 'secret=second-canary', '--set', 'secret=third-canary']
    const changed = await at.tidings('connection', 'set', ...team, ...id, ...changes, '--json')
    expect(changed.json).toEqual({ id: made.id, changed: ['secret'] })
    const shown = await at.tidings('connection', 'show', ...team, ...id)
    expect(shown.out).toContain('repositories: acme/web')
    expect(shown.out).toContain('secret: set; a secret is not shown')
    const listed = await at.tidings('connection', 'list', ...team, '--json')
    for (const { out } of [shown, changed, listed]) expect(out).not.toContain('canary')

    expect((await at.tidings('connection', 'remove', ...team, ...id)).code).toBe(0)
    expect((await fetch(made.webhookUrl, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  test('a connection to Slack with Socket Mode says that Slack needs no address, and another one names it', async () => {
    const create = (...more: string[]) => {
      const set = ['signing_secret=s', 'bot_token=xoxb-1', ...more].flatMap((one) => ['--set', one])
      return at.tidings('connection', 'create', ...team, '--adapter', 'slack', ...set)
    }
    const overSocket = await create('app_token=xapp-1')
    expect(overSocket.out).toContain('so Slack needs no address')
    expect(overSocket.out).not.toMatch(/Enter this address|Paste this|hooks/)
    const overHttp = await create()
    expect(overHttp.out).toContain('Enter this address at Slack:')
    expect(overHttp.out).toContain('Paste this at Slack:')
  })

  test('connection create generates a secret and prints it once, unless one is given', async () => {
    const made = await connect('github')
    expect(made.generated).toEqual({ secret: expect.stringMatching(/^[0-9a-f]{64}$/) })
    const shown = await at.tidings('connection', 'show', ...team, '--id', made.id)
    expect(shown.out).not.toContain(made.generated.secret ?? '')
    expect((await connect('github', 'secret=own')).generated).toEqual({})
  })

  test('a connection has a label and a state, and gets a new key under the same address', async () => {
    const made = await connect('github', 'secret=hush')
    const id = ['--id', made.id]
    const label = ['--label', 'Web team']
    const set = await at.tidings('connection', 'set', ...team, ...id, ...label, '--json')
    expect(set.json).toEqual({ id: made.id, changed: ['label'] })
    const rotated = await at.tidings('connection', 'rotate-key', ...team, ...id, '--json')
    const { key_prefix } = rotated.as(PrintedKey)
    const shown = await at.tidings('connection', 'show', ...team, ...id, '--json')
    expect(shown.json).toMatchObject({
      label: 'Web team',
      url: made.url,
      key_prefix,
      health: { state: 'waiting', queued: 0, seconds_to_drain: 0, refused_requests: 0 },
    })
    expect(key_prefix).not.toBe(made.key_prefix)
    const listed = await at.tidings('connection', 'list', ...team)
    expect(listed.out).toContain('Web team')
    expect((await at.tidings('connection', 'set', ...team, ...id)).code).toBe(1)
  })

  test('a setting that the adapter does not know is refused without repeating a secret', async () => {
    const set = ['--set', 'secret=', '--set', 'repositoreis=acme/web', '--set', 'events=release.*']
    const made = ['connection', 'create', ...team, '--adapter', 'github', ...set]
    const { code, err } = await at.tidings(...made)
    expect(code).toBe(1)
    expect(err).toContain('repositoreis is not a setting of github')
  })

  test('connection show prints the verification token of Notion once', async () => {
    const wanted = ['api_token=ntn_canary', 'property=Status', 'value=Publish']
    const made = await connect('notion', ...wanted)
    const body = JSON.stringify({ verification_token: 'secret_told-by-notion' })
    const headers = { 'content-type': 'application/json' }
    expect((await fetch(made.webhookUrl, { method: 'POST', body, headers })).status).toBe(200)
    const show = () => at.tidings('connection', 'show', ...team, '--id', made.id)
    expect((await show()).out).toContain('verification_token: secret_told-by-notion')
    const again = await show()
    expect(again.out).not.toContain('told-by-notion')
    expect(again.out).toContain('verification_token: set; a secret is not shown')
  })
})

test('an ignored delivery is listed with its reason and can be replayed', async () => {
  const made = await connect('github', 'secret=hush', 'events=milestone')
  const sample = await Bun.file(sampleOf('github', 'release.published')).json()
  const body = JSON.stringify(sample.body)
  const headers = { ...sample.headers, ...(await signGitHub(body, { secret: 'hush' })) }
  expect((await fetch(made.webhookUrl, { method: 'POST', body, headers })).status).toBe(200)
  const list = ['delivery', 'list', ...team, '--connection', made.id, '--json']
  const deliveries = async () => (await at.tidings(...list)).as(PrintedDeliveries)
  const [ignored] = await deliveries()
  const reason = 'release.published: not on the list of this connection (events)'
  expect(ignored).toMatchObject({ status: 'ignored', reason, replayable: true })

  const id = ['--id', ignored?.id ?? '']
  expect((await at.tidings('delivery', 'replay', ...team, ...id)).code).toBe(0)
  await until(async () => (await deliveries())[0]?.status === 'delivered')
  const shown = await at.tidings('delivery', 'show', ...team, ...id)
  expect(shown.out).toMatch(/^block: cb_/m)
  const foreign = await at.tidings('delivery', 'show', '--team', 'nobody', ...id)
  expect({ code: foreign.code, out: foreign.out }).toEqual({ code: 1, out: '' })
})

describe('Commands for adapters', () => {
  test('adapter list prints the adapters with their settings', async () => {
    const adapters = (await at.tidings('adapter', 'list', '--json')).as(PrintedAdapters)
    expect(adapters.length).toBeGreaterThanOrEqual(15)
    const found = adapters.find(({ slug }) => slug === 'github')
    expect(found).toMatchObject({
      settings: expect.arrayContaining([{ name: 'secret', secret: true, required: true }]),
      events: expect.arrayContaining(['release.published']),
      groups: true,
    })
  })

  test.each(['github/release.published', 'greenhouse/hire_candidate', 'slack/command'])(
    'adapter try composes the fixture %s without settings or a database',
    async (name) => {
      const [slug = '', sample = ''] = name.split('/')
      const file = sampleOf(slug, sample)
      const tried = await at.tidings('adapter', 'try', slug, file)
      const [item] = (await Bun.file(file.replace('.json', '.expected.json')).json()).items
      // Only a connection that rolls releases up keeps it.
      const { group: _, ...expected } = item
      expect(JSON.parse(tried.out).items).toEqual([{ ...expected, auto_ready: false }])
    },
  )

  test('adapter try says what is missing in a file', async () => {
    const unread = await at.tidings('adapter', 'try', 'github', '/nowhere.json')
    expect(unread.err).toContain('the file /nowhere.json cannot be read')
    const unknown = await at.tidings('adapter', 'try', 'gihtub', sampleOf('github', 'ping'))
    expect(unknown.err).toContain('there is no adapter "gihtub"')
  })
})
