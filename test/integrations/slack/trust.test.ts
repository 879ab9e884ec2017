import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  connect,
  deliveredBlock,
  eventOf,
  formBody,
  noon,
  sign,
  signed,
  startSlack,
} from '../../support/slack/slack.ts'
import {
  command,
  messageAction,
  messageEvent,
  people,
  press,
  submission,
  suggestion,
  triggerId,
  verificationToken,
} from '../../support/slack/slack-payloads.ts'

const slack = startSlack(people)
afterAll(() => slack.stop())
beforeEach(() => {
  slack.calls.length = 0
  slack.failures.clear()
})

const connection = connect(slack)
const seconds = (offset: number) => String(noon.getTime() / 1000 + offset)

describe('Slack: signature', () => {
  const body = formBody(command('We shipped v2'))
  const received = (headers: Record<string, string>) => connection.receive(signed(body, headers))

  test('a request that Slack signed is accepted', async () => {
    expect(await received({})).toMatchObject({ kind: 'event' })
  })

  const right = sign(body, seconds(0))
  test.each([
    ['no signature', { 'x-slack-signature': '' }],
    ['a wrong signature', { 'x-slack-signature': `v0=${'0'.repeat(64)}` }],
    ['another version', { 'x-slack-signature': right.replace('v0', 'v1') }],
    ['upper-case hex', { 'x-slack-signature': right.toUpperCase().replace('V0', 'v0') }],
    ['something behind the signature', { 'x-slack-signature': `${right}=` }],
    ['two signatures', { 'x-slack-signature': `${right}, ${right}` }],
    ['a re-serialised body', { 'x-slack-signature': sign(`${body}&`, seconds(0)) }],
    ['another secret', { 'x-slack-signature': sign(body, seconds(0), 'another') }],
    ['an empty secret', { 'x-slack-signature': sign(body, seconds(0), '') }],
    ['no timestamp', { 'x-slack-request-timestamp': '' }],
    ['a timestamp that is not a number', { 'x-slack-request-timestamp': 'now' }],
    ['a timestamp in another spelling', { 'x-slack-request-timestamp': `0${seconds(0)}` }],
    ['a stale timestamp', { 'x-slack-request-timestamp': seconds(-301) }],
    ['a timestamp from the future', { 'x-slack-request-timestamp': seconds(301) }],
  ])('a Slack request with %s is refused', async (_, headers) => {
    expect(await received(headers)).toMatchObject({ kind: 'rejected', status: 401 })
  })

  test.each([-300, 300])('a Slack request sent %d s from now is accepted', async (offset) => {
    const headers = { 'x-slack-request-timestamp': seconds(offset) }
    expect(await received(headers)).toMatchObject({ kind: 'event' })
  })

  test('both Slack signing secrets are accepted while one is being rotated, and no third', async () => {
    const rotating = connect(slack, { signing_secret: ['new', 'old'] })
    const kinds = ['new', 'old', 'older'].map(async (secret) => {
      const headers = { 'x-slack-signature': sign(body, seconds(0), secret) }
      return (await rotating.receive(signed(body, headers))).kind
    })
    expect(await Promise.all(kinds)).toEqual(['event', 'event', 'rejected'])
  })

  // The worked example of https://docs.slack.dev/authentication/verifying-requests-from-slack
  test("Slack's published example is accepted at its own time only", async () => {
    const example = signed(
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
      {
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      },
    )
    const documented = connect(slack, { signing_secret: '8f742231b10e8888abcd99yyyzzz85a5' })
    expect(await documented.receive(example, new Date(1531420618_000))).toEqual({
      kind: 'unknown',
      eventName: 'command/webhook-collect',
    })
    expect(await documented.receive(example, new Date())).toMatchObject({ status: 401 })
  })

  test("Slack's ssl_check is refused without a signature", async () => {
    const check = formBody({ ...command('sneaked in'), ssl_check: '1' })
    const unsigned = signed(check, { 'x-slack-signature': '' })
    expect(await connection.receive(unsigned)).toMatchObject({ status: 401 })
    expect(await connection.receive(signed(check))).toEqual({ kind: 'immediateReply', reply: {} })
  })
})

describe('Slack: request bodies', () => {
  const json = { 'content-type': 'application/json; charset=utf-8' }

  test("the challenge of Slack's Events API is answered", async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc', token: 't' })
    expect(await connection.receive(signed(body, json))).toEqual({
      kind: 'immediateReply',
      reply: { body: { challenge: 'abc' } },
    })
  })

  test('the content type of a Slack request is accepted with a charset and in any case', async () => {
    const headers = { 'content-type': 'Application/X-WWW-Form-URLencoded; charset=UTF-8' }
    const received = await connection.receive(signed(formBody(command('Hi')), headers))
    expect(received.kind).toBe('event')
  })

  test.each([
    ['JSON that breaks off', '{"type":', json],
    ['JSON that is not an object', '[1]', json],
    ['null', 'payload=null', {}],
    ['nothing but depth', `payload=${'['.repeat(100_000)}`, {}],
    ['a command without a person', 'command=/win&text=x&trigger_id=1', {}],
    ['a form without a view', formBody({ type: 'view_submission', user: { id: 'U1' } }), {}],
    ['another content type', 'command=/win', { 'content-type': 'text/plain' }],
  ])('a signed Slack request that contains %s is refused', async (_, body, headers) => {
    expect(await connection.receive(signed(body, headers))).toMatchObject({
      kind: 'rejected',
      status: 400,
    })
  })

  test('a signed Slack request with bytes that are not UTF-8 is refused', async () => {
    const body = new Uint8Array([...new TextEncoder().encode('command=/win&text='), 0xff])
    const request = { ...signed(''), body }
    request.headers.set('x-slack-signature', sign(body, seconds(0)))
    expect(await connection.receive(request)).toMatchObject({ kind: 'rejected', status: 400 })
  })

  test('the name of an unknown Slack request is logged without characters that could forge a log line', async () => {
    expect(await connection.send({ type: 'x\n{"level":"error"}' })).toEqual({
      kind: 'unknown',
      eventName: 'x???level?:?error??',
    })
    expect(await connection.send({})).toMatchObject({ kind: 'unknown' })
    expect(await connection.send(command('94070', { command: '/weather' }))).toMatchObject({
      eventName: 'command/weather',
    })
    expect(await connection.send(messageAction('x', { callback_id: 'other' }))).toMatchObject({
      eventName: 'message_action:other',
    })
  })
})

describe('Slack: workspaces', () => {
  const set = { workspace_id: 'T0ACME', app_id: 'A0NEWS' }
  const ours = connect(slack, set)

  test('the first verified Slack request stores its workspace and app, and later ones do not change them', async () => {
    const first = await connection.send(command('Hi'))
    expect(first).toMatchObject({ providerSettings: { workspace_id: 'T0ACME', app_id: 'A0NEWS' } })
    expect(await ours.send(command('Hi'))).not.toHaveProperty('providerSettings')
  })

  test.each([{ team_id: 'T0OTHER' }, { api_app_id: 'A0OTHER' }])(
    'a Slack command from another workspace or app is ignored, and the reply says so: %j',
    async (elsewhere) => {
      expect(await ours.send(command('Hi', elsewhere))).toMatchObject({
        kind: 'ignored',
        reason: 'from another workspace or app',
        reply: { body: { response_type: 'ephemeral', text: expect.stringContaining('nothing') } },
      })
    },
  )

  const outsider = { id: 'U0FAR', name: 'far', team_id: 'T0OTHER' }
  test.each([
    ['a shortcut', messageAction('x', { team: { id: 'T0OTHER' } })],
    [
      'a submission',
      submission({ title: 't', body: 'b', view: { app_installed_team_id: 'T0OTHER' } }),
    ],
    ['an outsider in a shared channel', submission({ title: 't', body: 'b' }, { user: outsider })],
    ['a button', press('x', { team: null, enterprise: { id: 'E0OTHER' } })],
    ['a search', { ...suggestion(''), team: { id: 'T0OTHER' } }],
    ['an event', { ...messageEvent({}), team_id: 'T0OTHER' }],
    ['a shortcut from nowhere', messageAction('x', { team: null })],
  ])('%s from another Slack workspace is refused', async (_, fields) => {
    expect(await ours.send(fields)).toMatchObject({ kind: 'rejected', status: 401 })
  })

  test('people of the workspace are accepted in a shared Slack channel', async () => {
    const shared = submission({ title: 't', body: 'b' }, { team: { id: 'T0OTHER', domain: 'o' } })
    expect(await ours.send(shared)).toMatchObject({ kind: 'event' })
  })

  const mention = { type: 'app_mention', user: 'U0MIRA', text: '<@U0BOT> win We shipped search' }
  const seenBy = (team_id: string, enterprise_id: string | null = null) => ({
    authorizations: [{ team_id, enterprise_id, user_id: 'U0BOT', is_bot: true }],
  })

  test('a Slack event belongs to the workspace whose bot it is for, not to a partner with whom the channel is shared', async () => {
    const shared = { ...messageEvent(mention), team_id: 'T0PARTNER', is_ext_shared_channel: true }
    expect(await ours.send({ ...shared, ...seenBy('T0ACME') })).toMatchObject({ kind: 'event' })
    expect(await connection.send({ ...shared, ...seenBy('T0ACME') })).toMatchObject({
      providerSettings: { workspace_id: 'T0ACME' },
    })
    const theirs = { ...shared, ...seenBy('T0PARTNER') }
    expect(await ours.send(theirs)).toMatchObject({ kind: 'rejected', status: 401 })
    const organization = connect(slack, { workspace_id: 'E0ACME' })
    const inGrid = { ...shared, enterprise_id: 'E0PARTNER', ...seenBy('T0SECOND', 'E0ACME') }
    expect(await organization.send(inGrid)).toMatchObject({ kind: 'event' })
  })

  test('an event in a channel of two Slack workspaces with the app belongs to that of its person, also when Slack names only the other one', async () => {
    const shared = (event: object, team_id = 'T0ACME') => ({
      ...messageEvent({ ...mention, ...event }),
      authorizations: [{ team_id: 'T0SISTER', enterprise_id: null, user_id: 'U0SISTERBOT' }],
      team_id,
      is_ext_shared_channel: true,
    })
    const sister = connect(slack, { ...set, workspace_id: 'T0SISTER' })
    for (const team_id of ['T0ACME', 'T0SISTER']) {
      const sent = shared({ user_team: 'T0ACME' }, team_id)
      expect(await ours.send(sent)).toMatchObject({
        kind: 'event',
        event: { type: 'news', body: [' We shipped search'] },
      })
      expect(await sister.send(sent)).toMatchObject({ kind: 'ignored' })
    }
    expect(await sister.send(shared({ user_team: 'T0SISTER' }))).toMatchObject({
      kind: 'event',
    })
    expect(await ours.send(shared({ user_team: 'T0SISTER' }))).toMatchObject({ kind: 'ignored' })
  })

  test('an event of a person of another company in a shared Slack channel is ignored, and refuses nothing', async () => {
    const sent = (from: object) =>
      ours.send({
        ...messageEvent({ ...mention, ...from }),
        ...seenBy('T0ACME'),
        is_ext_shared_channel: true,
      })
    for (const from of [{ user_team: 'T0PARTNER' }, { source_team: 'T0PARTNER' }])
      expect(await sent(from)).toEqual({
        kind: 'ignored',
        deliveryId: 'Ev0001',
        reason: 'from a person of another company',
      })
    expect(await sent({ user_team: 'T0ACME', source_team: 'T0ACME' })).toMatchObject({
      kind: 'event',
    })
  })

  test('Slack is asked for the company of a person in a shared channel of an organization, and what people of another one write is ignored', async () => {
    const organization = connect(slack, { workspace_id: 'E0ACME' })
    const inGrid = connect(slack, { workspace_id: 'T0ACME' })
    const cases = [
      [organization, { team_id: 'T0SECOND', enterprise_user: { enterprise_id: 'E0ACME' } }, true],
      [inGrid, { team_id: 'T0SECOND', enterprise_user: { enterprise_id: 'E0ACME' } }, true],
      [organization, { team_id: 'T0PARTNER' }, false],
      [inGrid, { team_id: 'T0PARTNER', enterprise_user: { enterprise_id: 'E0PARTNER' } }, false],
    ] as const
    try {
      for (const [connected, user, isOurs] of cases) {
        slack.answers.set('users.info', () => ({ ok: true, user }))
        const sent = { ...messageEvent({ ...mention, user_team: user.team_id }) }
        const shared = { ...sent, ...seenBy('T0ACME', 'E0ACME'), is_ext_shared_channel: true }
        const composed = await connected.composed(eventOf(await connected.send(shared)))
        expect(composed).toMatchObject(
          isOurs
            ? { kind: 'items' }
            : { kind: 'ignored', reason: 'from a person of another company' },
        )
      }
    } finally {
      slack.answers.delete('users.info')
    }
  })

  test('workspace_id accepts a whole Slack organization', async () => {
    const organization = connect(slack, { workspace_id: 'E0ACME' })
    const fields = command('Hi', { team_id: 'T0SECOND', enterprise_id: 'E0ACME' })
    expect(await organization.send(fields)).toMatchObject({ kind: 'event' })
    expect(await organization.send(command('Hi'))).toMatchObject({ kind: 'ignored' })
  })
})

describe('Slack: what is stored', () => {
  const text = 'Thanks <@U0TOMAS|tomas> and <@U0NOBODY> in <#C0WINS|wins>'
  const secrets = [verificationToken, triggerId, 'secret-address', 'U0MIRA', 'U0TOMAS', 'U0NOBODY']
  const notes = { author_id: 'U0TOMAS', response_url: 'https://hooks.slack.com/x/secret-address' }

  test.each([
    ['a command', command(text)],
    ['a form', submission({ title: text, body: text, notes })],
    [
      'a saved message',
      submission({
        title: text,
        body: text,
        notes: { ...notes, channel: 'C0WINS', message_ts: '1.2' },
      }),
    ],
  ])('no token, address or id of a person is stored of a Slack request: %s', async (_, fields) => {
    const received = await connection.send(fields)
    const { event, deliveryId } = eventOf(received)
    const kept = JSON.stringify([event, deliveryId, (await connection.blockOf(received)).item])
    for (const secret of secrets) expect(kept).not.toContain(secret)
  })

  test('a replayed Slack delivery without its ephemeral data makes the same block with the names it contains', async () => {
    const received = eventOf(await connection.send(command(text)))
    const replayed = await connection.composed(received, noon, null)
    expect(replayed).toMatchObject({
      items: [{ body: '<p>Thanks tomas and someone in #wins</p>', author: 'mira' }],
    })
    expect(slack.calls).toEqual([])
  })
})

describe('Slack: addresses of follow-ups', () => {
  const decoy = startSlack()
  afterAll(() => decoy.stop())

  test.each([
    decoy.responseUrl,
    'http://hooks.slack.com/x',
    'https://hooks.slack.com:8443/x',
    'https://hooks.slack.com@evil.example/x',
    'https://user@hooks.slack.com/x',
    'https://hooks.slack.com.evil.example/x',
    'https://evil.example/hooks.slack.com',
    'file:///etc/passwd',
    '',
  ])(
    'a Slack follow-up is never sent to %p, and the person gets a direct message',
    async (response_url) => {
      const received = await connection.send(command('Hi', { response_url }))
      await connection.notifyDelivered(received, [deliveredBlock('slack:command:1')])
      expect(decoy.calls).toEqual([])
      expect(slack.calls).toMatchObject([
        { method: 'chat.postMessage', fields: { channel: 'U0MIRA' } },
      ])
    },
  )

  test.each([
    ['https://hooks.slack.com/commands/1', 'https://hooks.slack.com/commands/1'],
    ['https://slack.com/commands/1', 'https://slack.com/api/chat.postMessage'],
  ])('with the real Slack, a follow-up for %s is sent to %s', async (response_url, target) => {
    const targets: string[] = []
    const set = { api_base_url: 'https://slack.com/api/' }
    const real = connect(slack, set, {
      fetch: async (url) => {
        targets.push(String(url))
        return Response.json({ ok: true })
      },
    })
    await real.notifyDelivered(await real.send(command('Hi', { response_url })), [
      deliveredBlock('x'),
    ])
    expect(targets).toEqual([target])
  })

  test('a Slack follow-up is sent to its response address for half an hour, and then as a direct message', async () => {
    const received = await connection.send(command('Hi', { response_url: slack.responseUrl }))
    const later = (ms: number) => new Date(noon.getTime() + ms)
    await connection.notifyDelivered(received, [deliveredBlock('x')], later(29 * 60_000))
    await connection.notifyDelivered(received, [deliveredBlock('x')], later(30 * 60_000))
    expect(slack.calls.map(({ method }) => method)).toEqual(['/hooks/answer', 'chat.postMessage'])
  })
})
