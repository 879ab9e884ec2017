import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { createConnection, readSettings } from '../../../src/features/connections/index.ts'
import { findDecryptedConnection } from '../../../src/features/connections/secrets/decrypted-connection.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { planMessages, refreshTokens, revokeTokens } from '../../../src/forwarding/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { transaction } from '../../../src/lib/database/db.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { joinTeam, type Person, signedIn } from '../../support/console.ts'
import { countLockWaits } from '../../support/database/lock-waits.ts'
import { untilNothingIsSent } from '../../support/jobs.ts'
import { formBody, sign } from '../../support/slack/slack.ts'
import { slackApp, startWorkspace, type Workspace } from '../../support/slack/slack-workspace.ts'
import { until } from '../../support/until.ts'

let workspace: Workspace
let app: TestApp

beforeAll(async () => {
  workspace = startWorkspace({ U0ADA: { name: 'Ada' } })
  const apps = new Map([['slack', { ...slackApp, apiUrl: workspace.apiUrl }]])
  app = await startApp({ adapters: [adapter], apps })
})
afterAll(async () => {
  await app.close()
  workspace.stop()
})
beforeEach(() => workspace.reset())

let numbers = 0

/** What Slack answers to the code of an approval in a new workspace. */
function grant(over: object = {}) {
  const number = ++numbers
  return {
    app_id: 'A0NEWS',
    authed_user: { id: 'U0ADA' },
    scope: 'commands,chat:write',
    token_type: 'bot',
    access_token: `xoxb-token-${number}`,
    bot_user_id: 'U0BOT',
    team: { id: `T0ACME${number}`, name: `Acme ${number}` },
    enterprise: null,
    is_enterprise_install: false,
    ...over,
  }
}

const startPath = '/integrations/install/slack'

/** Begins an installation and returns the page of Slack to which the admin is sent. */
async function begin(admin: Person): Promise<URL> {
  const { status, location } = await admin.get(startPath)
  expect(status).toBe(303)
  return new URL(location ?? '')
}

/** Comes back from Slack with a code. */
async function comeBack(admin: Person, state: string, granted: object | null) {
  const code = `code-${++numbers}`
  if (granted) workspace.grants.set(code, granted)
  return await admin.get(`${startPath}/callback?${new URLSearchParams({ code, state })}`)
}

/** Adds the app to a workspace and returns the id of the connection. */
async function install(admin: Person, granted: object): Promise<string> {
  const page = await begin(admin)
  const { location } = await comeBack(admin, page.searchParams.get('state') ?? '', granted)
  expect(location).toMatch(/^\/integrations\/cn_/)
  return location?.split('/').at(-1) ?? ''
}

async function newTeam() {
  const team = await app.team()
  return { team, admin: await signedIn(app, team, 'admin') }
}

/** The connection with its decrypted settings. */
async function stored(team: Team, id: string) {
  const connection = await findDecryptedConnection(app.forwarder, team.id, id)
  const settings = connection && readSettings(connection, adapter.settings)
  if (!connection || !settings) throw new Error('the connection is missing')
  return { ...connection, settings }
}

async function post(body: string, contentType: string, secret = slackApp.signingSecret) {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const headers = {
    'content-type': contentType,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': sign(body, timestamp, secret),
  }
  return await fetch(`${app.base}/hooks/slack/app`, { method: 'POST', headers, body })
}

const command = (workspaceIds: object, secret?: string) =>
  post(
    formBody({
      command: '/win',
      text: 'We shipped it',
      user_id: 'U0ADA',
      user_name: 'ada',
      api_app_id: 'A0NEWS',
      channel_id: 'C0WINS',
      trigger_id: `trigger-${++numbers}`,
      response_url: workspace.responseUrl,
      ...workspaceIds,
    }),
    'application/x-www-form-urlencoded',
    secret,
  )

const event = (team_id: string, inner: object, over: object = {}) =>
  post(
    JSON.stringify({
      type: 'event_callback',
      team_id,
      api_app_id: 'A0NEWS',
      event_id: `Ev${++numbers}`,
      event_time: Math.floor(Date.now() / 1000),
      event: inner,
      ...over,
    }),
    'application/json',
  )

const titlesOf = async (team: Team) => [
  ...(await app.sql<{ title: string; connection_id: string }[]>`
    select b.title, d.connection_id from content_blocks b
    join deliveries d on d.team_id = b.team_id and b.id = any(d.block_ids)
    where b.team_id = ${team.id}`),
]

describe('Add to Slack', () => {
  test('an admin is sent to Slack with the scopes of the manifest, the callback and a state', async () => {
    const { admin } = await newTeam()
    const page = await begin(admin)
    expect(page.href).toStartWith(workspace.apiUrl.replace('/api/', '/oauth/v2/authorize'))
    const { client_id, redirect_uri, scope, state } = Object.fromEntries(page.searchParams)
    expect(client_id).toBe(slackApp.clientId)
    expect(redirect_uri).toBe('http://tidings.test/integrations/install/slack/callback')
    expect(scope?.split(',')).toContain('chat:write')
    expect(state?.length).toBe(32)
  })

  test('the app is connected to the workspace with an encrypted token, and its commands become blocks', async () => {
    const { team, admin } = await newTeam()
    const granted = grant()
    const id = await install(admin, granted)
    const { settings } = await stored(team, id)
    expect(settings.bot_token).toEqual([granted.access_token])
    expect(settings.workspace_id).toBe(granted.team.id)
    const [row] =
      await app.sql`select label, settings::text, encrypted from connections where id = ${id}`
    expect(row?.['label']).toBe(granted.team.name)
    expect(`${row?.['settings']} ${row?.['encrypted'].toString('latin1')}`).not.toContain('xoxb-')
    const reply = await command({ team_id: granted.team.id })
    expect(reply.status).toBe(200)
    await until(async () => (await titlesOf(team)).length === 1)
    expect(await titlesOf(team)).toEqual([{ title: 'We shipped it', connection_id: id }])
    expect(app.logLines.join('\n')).not.toContain('xoxb-')
  })

  test('two workspaces of one team have a connection each, and requests reach the right one', async () => {
    const { team, admin } = await newTeam()
    const [first, second] = [grant(), grant()]
    const ids = [await install(admin, first), await install(admin, second)]
    await command({ team_id: second.team.id })
    await until(async () => (await titlesOf(team)).length === 1)
    expect((await titlesOf(team)).map(({ connection_id }) => connection_id)).toEqual(ids.slice(1))
  })

  test('news in a channel that two workspaces with the app share is saved for the workspace of its person, whichever Slack names', async () => {
    const teams = [await newTeam(), await newTeam()] as const
    const [ours, theirs] = [grant(), grant()]
    await install(teams[0].admin, ours)
    await install(teams[1].admin, theirs)
    const mentions = [
      [ours.team.id, ours.team.id, theirs.team.id, 'We shipped search'],
      [theirs.team.id, ours.team.id, ours.team.id, 'They moved'],
    ] as const
    for (const [user_team, at, seenBy, text] of mentions) {
      const from = { user: 'U0ADA', user_team, channel: 'C0SHARED', ts: `1797.${++numbers}` }
      const authorizations = [{ team_id: seenBy, enterprise_id: null, user_id: 'U0OTHERBOT' }]
      const mention = { type: 'app_mention', text: `<@U0BOT> win ${text}`, ...from }
      const sent = await event(at, mention, { authorizations, is_ext_shared_channel: true })
      expect(sent.status).toBe(200)
    }
    for (const [index, title] of ['We shipped search', 'They moved'].entries())
      await until(async () => {
        const titles = await titlesOf(teams[index === 0 ? 0 : 1].team)
        return titles.length === 1 && titles[0]?.title === title
      })
  })

  test('a reaction in a channel that two workspaces with the app share saves the message for the workspace of its person, whichever Slack names', async () => {
    const teams = [await newTeam(), await newTeam()] as const
    // Slack says that Ada belongs to this workspace.
    const [ours, theirs] = [grant({ team: { id: 'T0ACME', name: 'Acme' } }), grant()]
    const ids = [
      await install(teams[0].admin, ours),
      await install(teams[1].admin, theirs),
    ] as const
    const seenByTheirs = [{ team_id: theirs.team.id, enterprise_id: null, user_id: 'U0OTHERBOT' }]
    const shared = { is_ext_shared_channel: true, authorizations: seenByTheirs }
    const named = [{ team_id: 'T0ACME' }, { team_id: theirs.team.id, context_team_id: 'T0ACME' }]
    for (const [index, by] of named.entries()) {
      const item = { type: 'message', channel: 'C0SHARED', ts: `1798.00${index}` }
      const reaction = { type: 'reaction_added', reaction: 'rolled_up_newspaper', user: 'U0ADA' }
      const inner = { ...reaction, item, event_ts: String(Date.now() / 1000) }
      const sent = await event(by.team_id, inner, { ...shared, ...by })
      expect(sent.status).toBe(200)
      await until(async () => (await titlesOf(teams[0].team)).length === index + 1)
    }
    expect((await titlesOf(teams[0].team)).map(({ connection_id }) => connection_id)).toEqual([
      ids[0],
      ids[0],
    ])
    await until(async () => {
      const rows = await app.sql<{ status: string; reason: string }[]>`
        select status, reason from deliveries where connection_id = ${ids[1]}`
      return rows.length === 2 && rows.every(({ status }) => status === 'ignored')
    })
    expect(await titlesOf(teams[1].team)).toEqual([])
  })

  test.each([
    { connected: ['T0ONE', 'T0TWO'], home: ['T0ONE'], expected: 'T0ONE' },
    { connected: ['T0ONE', 'T0TWO'], home: ['T0TWO'], expected: 'T0TWO' },
    { connected: ['T0ONE', 'T0TWO'], home: ['T0ONE', 'T0TWO'], expected: 'T0ONE' },
    { connected: ['T0ONE', 'T0TWO'], home: ['T0THREE'], expected: 'T0ONE' },
    { connected: ['T0ONE', 'E0ACME'], home: ['T0ONE'], expected: 'T0ONE' },
    { connected: ['T0ONE', 'E0ACME'], home: ['T0TWO'], expected: 'E0ACME' },
    { connected: ['T0TWO', 'E0ACME'], home: ['T0TWO'], expected: 'T0TWO' },
    { connected: ['T0TWO', 'E0ACME'], home: ['T0ONE'], expected: 'E0ACME' },
    { connected: ['T0ONE'], home: ['T0TWO'], expected: 'T0ONE' },
  ])(
    'a reaction in an organization saves the message for one team only: %j',
    async ({ connected, home, expected }) => {
      const suffix = String(++numbers)
      const idOf = (name: string) => `${name}${suffix}`
      const granted = (name: string) =>
        name.startsWith('E')
          ? grant({ team: null, enterprise: { id: idOf(name), name }, is_enterprise_install: true })
          : grant({ team: { id: idOf(name), name } })
      const user = `U0GRID${suffix}`
      const teams = home.map(idOf)
      workspace.people[user] = {
        name: 'Mira',
        team_id: teams.at(-1) ?? '',
        enterprise_user: { enterprise_id: idOf('E0ACME'), teams },
      }
      const connections = []
      for (const name of connected) {
        const { team, admin } = await newTeam()
        connections.push({ name, team, id: await install(admin, granted(name)) })
      }
      const seenBy = { team_id: idOf('T0ONE'), enterprise_id: idOf('E0ACME') }
      const places = [
        { team_id: idOf('T0TWO') },
        { team_id: idOf('T0ONE'), context_team_id: idOf('T0TWO'), is_ext_shared_channel: true },
      ]
      for (const [index, place] of places.entries()) {
        const item = { type: 'message', channel: 'C0SHARED', ts: `1799.${suffix}${index}` }
        const reaction = { type: 'reaction_added', reaction: 'rolled_up_newspaper', user, item }
        const inner = { ...reaction, event_ts: String(Date.now() / 1000) }
        const sent = await event(place.team_id, inner, { authorizations: [seenBy], ...place })
        expect(sent.status).toBe(200)
      }
      for (const { name, team, id } of connections) {
        await until(async () => {
          const settled = await app.sql`
            select from deliveries where connection_id = ${id} and settled_at is not null`
          return settled.length === places.length
        })
        expect(await titlesOf(team)).toHaveLength(name === expected ? places.length : 0)
      }
    },
  )

  test('the log of an event for two connections names what became of it in each', async () => {
    const [ours, theirs] = [grant(), grant()]
    const [admin, other] = [(await newTeam()).admin, (await newTeam()).admin]
    const ids = [await install(admin, ours), await install(other, theirs)]
    // The first connection saves messages with another reaction.
    await app.sql`update connections set settings = (settings::jsonb || '{"reaction": "tada"}')::json where id = ${ids[0] ?? ''}`
    const seenByOurs = [{ team_id: ours.team.id, enterprise_id: null, user_id: 'U0BOT' }]
    const item = { type: 'message', channel: 'C0SHARED', ts: '1798.01' }
    const reaction = 'rolled_up_newspaper'
    const inner = { type: 'reaction_added', reaction, user: 'U0ADA', item }
    await event(theirs.team.id, inner, { is_ext_shared_channel: true, authorizations: seenByOurs })
    const line = await until(async () => app.logLines.find((one) => one.includes(ids.join(' '))))
    expect(JSON.parse(line)).toMatchObject({ adapter: 'slack', outcome: 'immediateReply event' })
  })

  test('an organization of Enterprise Grid is one connection for all its workspaces', async () => {
    const { team, admin } = await newTeam()
    const organization = { id: `E0GRID${++numbers}`, name: 'Grid' }
    const id = await install(
      admin,
      grant({ team: null, enterprise: organization, is_enterprise_install: true }),
    )
    expect((await stored(team, id)).settings.workspace_id).toBe(organization.id)
    await command({ team_id: 'T0BRANCH', enterprise_id: organization.id })
    await until(async () => (await titlesOf(team)).length === 1)
  })

  test('a workspace that is connected already gets new tokens, and no second connection', async () => {
    const { team, admin } = await newTeam()
    const granted = grant()
    const id = await install(admin, granted)
    expect(await install(admin, { ...granted, access_token: 'xoxb-newer' })).toBe(id)
    expect((await stored(team, id)).settings.bot_token).toEqual(['xoxb-newer'])
  })

  test('two admins of a team who add the app to one workspace at once get one connection', async () => {
    const { team, admin } = await newTeam()
    const second = await signedIn(app, team, 'admin')
    const granted = grant()
    const states = await Promise.all(
      [admin, second].map(async (person) => (await begin(person)).searchParams.get('state') ?? ''),
    )
    // Nothing can be stored until both have looked for an installation, or wait for the one who does.
    const { responses } = await transaction(app.sql, async (tx) => {
      await tx`lock table app_installations in share mode`
      const started = Promise.all([
        comeBack(admin, states[0] ?? '', granted),
        comeBack(second, states[1] ?? '', { ...granted, access_token: 'xoxb-second' }),
      ])
      await until(async () => {
        const waiting = await tx`
          select from pg_locks join pg_database d on d.oid = database
          where not granted and datname = current_database()`
        return waiting.length === 2
      })
      return { responses: started }
    })
    const addresses = (await responses).map(({ location }) => location)
    expect(addresses[0]).toMatch(/^\/integrations\/cn_/)
    expect(addresses[1]).toBe(addresses[0] ?? '')
    const rows = await app.sql`select id from connections where team_id = ${team.id}`
    expect(rows).toHaveLength(1)
  })

  test('another team cannot take over a connected workspace', async () => {
    const [first, other] = [await newTeam(), await newTeam()]
    const granted = grant()
    const id = await install(first.admin, granted)
    const page = await begin(other.admin)
    const state = page.searchParams.get('state') ?? ''
    const { location } = await comeBack(other.admin, state, {
      ...granted,
      access_token: 'xoxb-evil',
    })
    expect(location).toBe('/integrations/connect/slack')
    expect((await other.admin.get('/integrations/connect/slack')).html).toContain(
      'Another team is connected to this workspace.',
    )
    expect((await stored(first.team, id)).settings.bot_token).toEqual([granted.access_token])
  })

  test('a removed connection frees its workspace for another team', async () => {
    const [first, other] = [await newTeam(), await newTeam()]
    const granted = grant()
    const id = await install(first.admin, granted)
    await first.admin.post(`/integrations/${id}/remove`)
    expect(await install(other.admin, granted)).toMatch(/^cn_/)
  })
})

describe('the state of an installation', () => {
  const refused = 'This approval has expired, was used, or belongs to another sign-in.'

  async function expectRefused(admin: Person, state: string) {
    const { location } = await comeBack(admin, state, grant())
    expect(location).toBe('/integrations/connect/slack')
    expect((await admin.get('/integrations/connect/slack')).html).toContain(refused)
    expect(workspace.calls).not.toContain('oauth.v2.access')
  }
  const stateOf = async (admin: Person) => (await begin(admin)).searchParams.get('state') ?? ''

  test('the state of an installation works once', async () => {
    const { admin } = await newTeam()
    const state = await stateOf(admin)
    await comeBack(admin, state, grant())
    workspace.reset()
    await expectRefused(admin, state)
  })

  test('the state of an installation works only for the admin who has begun', async () => {
    const { team, admin } = await newTeam()
    await expectRefused(await signedIn(app, team, 'admin'), await stateOf(admin))
  })

  test('the state of an installation works only in the team in which it was begun', async () => {
    const [first, other] = [await newTeam(), await newTeam()]
    await expectRefused(other.admin, await stateOf(first.admin))
    // The same person, who goes on in another team meanwhile.
    await joinTeam(app, other.team, { ...first.admin, role: 'admin' })
    const state = await stateOf(first.admin)
    await first.admin.post('/account/team', { team: other.team.id })
    workspace.reset()
    await expectRefused(first.admin, state)
  })

  test('the state of an installation expires after ten minutes, and cannot be made up', async () => {
    const { admin } = await newTeam()
    const state = await stateOf(admin)
    await app.sql`update one_time_tokens set expires_at = expires_at - interval '10 minutes'`
    await expectRefused(admin, state)
    await expectRefused(admin, 'made-up')
  })

  test('the state of an installation adds nothing for an admin who becomes a viewer while Slack is asked', async () => {
    const { team, admin } = await newTeam()
    const other = await signedIn(app, team, 'admin')
    const state = (await begin(admin)).searchParams.get('state') ?? ''
    // The state is used up after the check of the role, and before Slack is asked.
    const { coming } = await transaction(
      app.sql,
      async (tx) => {
        await tx`lock table one_time_tokens in exclusive mode`
        const started = comeBack(admin, state, grant())
        await until(async () => (await countLockWaits(tx)) > 0)
        await other.post(`/settings/members/${admin.id}/role`, { role: 'viewer' })
        return { coming: started }
      },
      240_000,
    )
    expect((await coming).location).toBe('/integrations/connect/slack')
    expect(await app.sql`select id from connections where team_id = ${team.id}`).toHaveLength(0)
  })

  test('the state of an installation is only for admins', async () => {
    const { team } = await newTeam()
    const editor = await signedIn(app, team, 'editor')
    expect((await editor.get(startPath)).status).toBe(403)
    expect((await editor.get(`${startPath}/callback?code=c&state=s`)).status).toBe(403)
  })

  test('a person who does not allow the app reads that nothing is connected', async () => {
    const { admin } = await newTeam()
    const query = new URLSearchParams({ error: 'access_denied', state: await stateOf(admin) })
    const { location } = await admin.get(`${startPath}/callback?${query}`)
    expect((await admin.get(location ?? '')).html).toContain('The app was not allowed at Slack')
  })

  test('a code that Slack refuses connects nothing and says what to do', async () => {
    const { admin } = await newTeam()
    const { location } = await comeBack(admin, await stateOf(admin), null)
    expect((await admin.get(location ?? '')).html).toContain('The approval has expired.')
  })
})

describe('requests to the address of the app', () => {
  test('requests to the address of the app with a forged signature are refused before anything is read', async () => {
    const { team, admin } = await newTeam()
    const granted = grant()
    await install(admin, granted)
    expect((await command({ team_id: granted.team.id }, 'forged')).status).toBe(401)
    expect(await titlesOf(team)).toEqual([])
  })

  test('requests to the address of the app from a workspace that is not connected save nothing and say so', async () => {
    const reply = await command({ team_id: 'T0NOBODY' })
    expect(reply.status).toBe(200)
    expect(await reply.text()).toContain('This workspace is not connected to Tidings.')
  })

  test('answer the challenge of Slack before any workspace is connected', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    expect(await (await post(body, 'application/json')).json()).toEqual({ challenge: 'abc' })
  })
})

describe('apps that are removed in Slack', () => {
  const messagesTo = async (id: string) =>
    (
      await app.sql<{ recipient: string }[]>`
        select recipient from chat_messages where connection_id = ${id}`
    ).map(({ recipient }) => recipient)
  const pageOf = async (admin: Person, id: string) => (await admin.get(`/integrations/${id}`)).html

  test.each([
    ['app_uninstalled', { type: 'app_uninstalled' }, 'The app was removed from the workspace.'],
    [
      'tokens_revoked',
      { type: 'tokens_revoked', tokens: { bot: ['U0BOT'] } },
      'The token of the app was revoked.',
    ],
  ])(
    'after %s the connection says what to do, and nothing more is sent',
    async (_, inner, text) => {
      const { team, admin } = await newTeam()
      const granted = grant()
      const id = await install(admin, granted)
      await command({ team_id: granted.team.id })
      await until(async () => (await titlesOf(team)).length === 1)
      expect((await event(granted.team.id, inner)).status).toBe(200)
      const page = await pageOf(admin, id)
      expect(page).toContain(text)
      expect(page).toContain('Add to Slack again')
      await app.sql`
      update connections set settings = (settings::jsonb || '{"review_channel":"C0REVIEW"}')::json
      where id = ${id}`
      await planMessages(app.forwarder)
      expect(await messagesTo(id)).toEqual([])
      await install(admin, granted)
      await planMessages(app.forwarder)
      expect(await messagesTo(id)).toEqual(['C0REVIEW'])
      const [entry] = await app.sql`
      select action from audit_log where team_id = ${team.id} and action = 'connection_disconnected'`
      expect(entry).toBeDefined()
    },
  )

  test.each([{ type: 'app_uninstalled' }, { type: 'tokens_revoked', tokens: { bot: ['U0BOT'] } }])(
    'the removal of an app in one workspace leaves the other one connected, whichever Slack names: %j',
    async (inner) => {
      const teams = [await newTeam(), await newTeam()] as const
      const [removed, left] = [grant(), grant()]
      const ids = [
        await install(teams[0].admin, removed),
        await install(teams[1].admin, left),
      ] as const
      const authorizations = [{ team_id: left.team.id, enterprise_id: null, user_id: 'U0BOT' }]
      await event(removed.team.id, inner, { authorizations })
      expect((await stored(teams[0].team, ids[0])).isDisconnected).toBe(true)
      expect((await stored(teams[1].team, ids[1])).isDisconnected).toBe(false)
    },
  )

  test('an app that is removed in Slack is connected again when an admin adds it again, also when an old report is late', async () => {
    const { team, admin } = await newTeam()
    const granted = grant()
    const id = await install(admin, granted)
    await event(granted.team.id, { type: 'app_uninstalled' })
    expect(await install(admin, granted)).toBe(id)
    expect((await stored(team, id)).isDisconnected).toBe(false)
    const earlier = { event_time: Math.floor(Date.now() / 1000) - 60 }
    await event(granted.team.id, { type: 'tokens_revoked', tokens: { bot: ['U0BOT'] } }, earlier)
    expect((await stored(team, id)).isDisconnected).toBe(false)
  })

  test('an app that is removed in Slack keeps a token that an admin has saved when an old report is late', async () => {
    const { team, admin } = await newTeam()
    const granted = grant()
    const id = await install(admin, granted)
    await app.sql`update connections set connected_at = now() - interval '1 hour' where id = ${id}`
    await event(granted.team.id, { type: 'app_uninstalled' })
    await admin.post(`/integrations/${id}/settings`, { bot_token: 'xoxb-by-hand' })
    const earlier = { event_time: Math.floor(Date.now() / 1000) - 60 }
    await event(granted.team.id, { type: 'tokens_revoked', tokens: { bot: ['U0BOT'] } }, earlier)
    expect((await stored(team, id)).isDisconnected).toBe(false)
  })

  test.each(['account_inactive', 'token_revoked'] as const)(
    'an app that is removed in Slack is disconnected when Slack answers a message with %s, because its report was lost',
    async (code) => {
      const { team, admin } = await newTeam()
      const granted = grant()
      const id = await install(admin, granted)
      await app.sql`
        update connections set settings = (settings::jsonb || '{"review_channel":"C0REVIEW"}')::json,
          connected_at = now() - interval '1 hour' where id = ${id}`
      await command({ team_id: granted.team.id })
      await until(async () => (await titlesOf(team)).length === 1)
      await untilNothingIsSent(app)
      workspace.failures.set('chat.postMessage', code)
      await planMessages(app.forwarder)
      await until(async () => (await stored(team, id)).isDisconnected)
      const page = await pageOf(admin, id)
      expect(page).toContain('The token of the app was revoked.')
      expect(page).toContain('Add to Slack again')
      expect(await install(admin, granted)).toBe(id)
      expect((await stored(team, id)).isDisconnected).toBe(false)
    },
  )

  test('a revoked token of a person changes nothing, because the app uses none', async () => {
    const { team, admin } = await newTeam()
    const granted = grant()
    const id = await install(admin, granted)
    await event(granted.team.id, { type: 'tokens_revoked', tokens: { oauth: ['U0ADA'] } })
    expect((await stored(team, id)).isDisconnected).toBe(false)
  })
})

describe('tokens that expire', () => {
  beforeEach(async () => {
    await app.sql`update app_installations set expires_at = null, refreshing_until = null`
  })
  const rotating = (seconds: number) => {
    const refresh_token = `xoxe-1-${++numbers}`
    const next = { access_token: `xoxb-next-${numbers}`, refresh_token: `${refresh_token}-next` }
    return {
      granted: grant({ refresh_token, expires_in: seconds }),
      refresh_token,
      next: { ...next, expires_in: 43_200, token_type: 'bot' },
    }
  }
  const tokenOf = async (team: Team, id: string) => {
    const { settings, refreshToken } = await stored(team, id)
    return { token: settings.bot_token[0], refreshToken }
  }

  test('a token that expires is refreshed before it expires, once over all processes', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    workspace.reset()
    await Promise.all([1, 2, 3].map(() => refreshTokens(app.forwarder)))
    expect(workspace.calls).toEqual(['oauth.v2.access'])
    expect(await tokenOf(team, id)).toEqual({
      token: next.access_token,
      refreshToken: next.refresh_token,
    })
    await refreshTokens(app.forwarder)
    expect(workspace.calls).toEqual(['oauth.v2.access'])
  })

  test('a token that expires is not refreshed while it is valid for more than two hours', async () => {
    const { admin } = await newTeam()
    await install(admin, rotating(43_200).granted)
    workspace.reset()
    await refreshTokens(app.forwarder)
    expect(workspace.calls).toEqual([])
  })

  test('a token that expires stays when Slack is unavailable, and is refreshed by a later run', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    workspace.failures.set('oauth.v2.access', 'down')
    await refreshTokens(app.forwarder)
    expect((await tokenOf(team, id)).token).toBe(granted.access_token)
    workspace.failures.clear()
    await app.sql`update app_installations set refreshing_until = null`
    await refreshTokens(app.forwarder)
    expect((await tokenOf(team, id)).token).toBe(next.access_token)
  })

  test('a token that has expired and cannot be refreshed disconnects the connection', async () => {
    const { team, admin } = await newTeam()
    const id = await install(admin, rotating(3_600).granted)
    await refreshTokens(app.forwarder)
    expect((await stored(team, id)).isDisconnected).toBe(false)
    await app.sql`update app_installations set refreshing_until = null, expires_at = now()`
    await refreshTokens(app.forwarder)
    expect((await stored(team, id)).isDisconnected).toBe(true)
  })

  test('a token whose refresh is lost after Slack has made it stays until it expires, and the page says what to do', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    // As if the process had been killed before it stored the response.
    workspace.failures.set('oauth.v2.access', 'lost')
    await refreshTokens(app.forwarder)
    workspace.failures.clear()
    await app.sql`update app_installations set refreshing_until = null`
    await refreshTokens(app.forwarder)
    expect(await stored(team, id)).toMatchObject({ isDisconnected: false })
    const page = async () => (await admin.get(`/integrations/${id}`)).html
    // Already in the run after the lost one, while the token is valid.
    expect(await page()).toContain('invalid_refresh_token')
    expect(await page()).toContain('Add the app to the workspace again.')
    await app.sql`update app_installations set refreshing_until = null, expires_at = now()`
    await refreshTokens(app.forwarder)
    expect(await page()).toContain('The token of the app could not be refreshed.')
    expect(await page()).toContain('Add to Slack again')
    workspace.failures.set('users.info', 'token_expired')
    await command({ team_id: granted.team.id, text: 'Thanks <@U0MIRA|mira> for the launch' })
    await install(admin, { ...granted, access_token: 'xoxb-again', expires_in: 43_200 })
    expect(await tokenOf(team, id)).toMatchObject({ token: 'xoxb-again' })
    expect(await page()).not.toContain('Add the app to the workspace again.')
    workspace.failures.clear()
    await until(async () => {
      await app.sql`update pgboss.job set start_after = now() where state = 'retry'`
      return (await titlesOf(team)).length === 1
    })
  })

  test('a token that has expired during a long outage delays the messages until it is refreshed, and loses none', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    await app.sql`
      update connections set settings = (settings::jsonb || '{"review_channel":"C0LATE"}')::json where id = ${id}`
    await command({ team_id: granted.team.id })
    await until(async () => (await titlesOf(team)).length === 1)
    await untilNothingIsSent(app)
    workspace.failures.set('chat.postMessage', 'token_expired')
    await planMessages(app.forwarder)
    const message = () =>
      app.sql`select status, reason from chat_messages where connection_id = ${id}`
    await until(async () => (await message())[0]?.['reason']?.includes('token_expired'))
    await refreshTokens(app.forwarder)
    workspace.failures.clear()
    await until(async () => {
      await app.sql`update pgboss.job set start_after = now() where state = 'retry'`
      return (await message())[0]?.['status'] === 'sent'
    })
    expect(workspace.in('C0LATE')).toHaveLength(1)
    expect((await tokenOf(team, id)).token).toBe(next.access_token)
  })

  test('a refresh that ends after the app was added again keeps the newer token', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    const outbound: typeof app.forwarder.outbound = async (url, init) => {
      const reply = await app.forwarder.outbound(url, init)
      await install(admin, { ...granted, access_token: 'xoxb-newest', expires_in: 43_200 })
      return reply
    }
    await refreshTokens({ ...app.forwarder, outbound })
    expect((await tokenOf(team, id)).token).toBe('xoxb-newest')
  })

  /** Saves a setting of a connection in the console. */
  const save = async (admin: Person, id: string, values: Record<string, string>) => {
    const reply = await admin.post(`/integrations/${id}/settings`, values)
    expect(reply.status).toBe(303)
  }
  const whileAnswered =
    (work: () => Promise<unknown>): typeof app.forwarder.outbound =>
    async (url, init) => {
      const reply = await app.forwarder.outbound(url, init)
      await work()
      return reply
    }

  test('a token that an admin has saved stays, because the refresh token of the one before is deleted', async () => {
    const { team, admin } = await newTeam()
    const id = await install(admin, rotating(3_600).granted)
    await app.sql`update app_installations set expires_at = now() where connection_id = ${id}`
    await refreshTokens(app.forwarder)
    expect((await stored(team, id)).isDisconnected).toBe(true)
    await save(admin, id, { bot_token: 'xoxb-by-hand' })
    await app.sql`update app_installations set refreshing_until = null`
    workspace.reset()
    await refreshTokens(app.forwarder)
    expect(await tokenOf(team, id)).toEqual({ token: 'xoxb-by-hand', refreshToken: null })
    expect((await stored(team, id)).isDisconnected).toBe(false)
    expect(workspace.calls).toEqual([])
  })

  test('a token that an admin saves while the one before is refreshed stays', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    const outbound = whileAnswered(() => save(admin, id, { bot_token: 'xoxb-by-hand' }))
    await refreshTokens({ ...app.forwarder, outbound })
    expect((await tokenOf(team, id)).token).toBe('xoxb-by-hand')
  })

  test('a token that expires is still refreshed after another secret was saved, which connects nothing again', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    await save(admin, id, { app_token: 'xapp-1-of-the-tests' })
    await refreshTokens(app.forwarder)
    expect((await tokenOf(team, id)).token).toBe(next.access_token)
    await event(granted.team.id, { type: 'app_uninstalled' })
    await save(admin, id, { app_token: 'xapp-2-of-the-tests' })
    expect((await stored(team, id)).isDisconnected).toBe(true)
  })

  test('a token that is refreshed does not connect an app again that is removed meanwhile', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    const outbound = whileAnswered(() => event(granted.team.id, { type: 'app_uninstalled' }))
    await refreshTokens({ ...app.forwarder, outbound })
    expect((await stored(team, id)).isDisconnected).toBe(true)
  })

  test('a token that is refused after the app was added again does not disconnect the newer token', async () => {
    const { team, admin } = await newTeam()
    const { granted } = rotating(3_600)
    const id = await install(admin, granted)
    await app.sql`update app_installations set expires_at = now() where connection_id = ${id}`
    const newer = { ...granted, access_token: 'xoxb-newest', expires_in: 43_200 }
    const outbound = whileAnswered(() => install(admin, newer))
    await refreshTokens({ ...app.forwarder, outbound })
    expect(await stored(team, id)).toMatchObject({ isDisconnected: false })
    expect((await tokenOf(team, id)).token).toBe('xoxb-newest')
  })

  test('a token that expires is refreshed although 50 others fail in each run', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    const ctx = systemContext(app.forwarder, team.id)
    const settings = { signing_secret: 's', bot_token: 'xoxb-without-a-refresh-token' }
    for (const _ of Array(50)) await createConnection(ctx, { adapter, given: settings })
    await app.sql`
      insert into app_installations (team_id, connection_id, adapter, workspace_id, installed_at, expires_at)
      select team_id, id, adapter, id, now(), now() from connections where team_id = ${team.id} and id <> ${id}`
    await refreshTokens(app.forwarder)
    await app.sql`
      update app_installations set refreshing_until = now() - interval '1 second'
      where refreshing_until is not null`
    await refreshTokens(app.forwarder)
    expect((await tokenOf(team, id)).token).toBe(next.access_token)
  })

  test('a token waits for no other one: a process takes one when it can exchange it', async () => {
    const tokens = [rotating(3_600), rotating(3_600)]
    for (const { granted, refresh_token, next } of tokens) {
      await install((await newTeam()).admin, granted)
      workspace.refreshes.set(refresh_token, next)
    }
    const taken: unknown[] = []
    const outbound = whileAnswered(async () => {
      const [row] = await app.sql`
        select count(*)::integer as n from app_installations where refreshing_until > now()`
      taken.push(row?.['n'])
    })
    await refreshTokens({ ...app.forwarder, outbound })
    expect(taken).toEqual([1, 1])
  })

  test('a token that expires is not tried while the installation has no app, and is refreshed at once when it has one again', async () => {
    const { team, admin } = await newTeam()
    const { granted, refresh_token, next } = rotating(3_600)
    const id = await install(admin, granted)
    workspace.refreshes.set(refresh_token, next)
    await refreshTokens({ ...app.forwarder, apps: new Map() })
    await refreshTokens(app.forwarder)
    expect((await tokenOf(team, id)).token).toBe(next.access_token)
  })
})

describe('tokens of removed connections', () => {
  const later = (days: number) => () => new Date(Date.now() + days * 86_400_000)
  const secretsOf = async (id: string) => {
    const [row] = await app.sql`select encrypted from connections where id = ${id}`
    return row?.['encrypted']
  }

  test('the token of a connection that was removed is revoked at Slack once and then deleted, also when two processes do so at once', async () => {
    const { admin } = await newTeam()
    const granted = grant()
    const id = await install(admin, granted)
    await admin.post(`/integrations/${id}/remove`)
    await Promise.all([revokeTokens(app.forwarder), revokeTokens(app.forwarder)])
    expect(new Set(workspace.revoked)).toEqual(new Set([`Bearer ${granted.access_token}`]))
    expect(await secretsOf(id)).toBeNull()
    workspace.revoked.length = 0
    await revokeTokens(app.forwarder)
    expect(workspace.revoked).toEqual([])
  })

  test.each(['down', 'limited', 'lost'] as const)(
    'the token of a connection that was removed is revoked later when Slack is %s, and deleted after a week in any case',
    async (failure) => {
      const { admin } = await newTeam()
      const id = await install(admin, grant())
      await admin.post(`/integrations/${id}/remove`)
      workspace.failures.set('auth.revoke', failure)
      await revokeTokens(app.forwarder)
      expect(await secretsOf(id)).not.toBeNull()
      await revokeTokens({ ...app.forwarder, now: later(8) })
      expect(await secretsOf(id)).toBeNull()
    },
  )

  test('the token of a connection that was removed is deleted when Slack does not accept it any more', async () => {
    const { admin } = await newTeam()
    const id = await install(admin, grant())
    await admin.post(`/integrations/${id}/remove`)
    workspace.failures.set('auth.revoke', 'token_revoked')
    await revokeTokens(app.forwarder)
    expect(await secretsOf(id)).toBeNull()
  })

  test('the token of a connection that was removed is not revoked when the app was added to the workspace again, which can have the same token', async () => {
    const { admin } = await newTeam()
    const granted = grant()
    const id = await install(admin, granted)
    await admin.post(`/integrations/${id}/remove`)
    await install(admin, granted)
    await revokeTokens(app.forwarder)
    expect(workspace.revoked).toEqual([])
    expect(await secretsOf(id)).toBeNull()
  })
})
