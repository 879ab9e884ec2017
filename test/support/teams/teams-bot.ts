import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, SignJWT } from 'jose'
import { adapter } from '../../../integrations/teams/adapter.ts'
import { createConnection, webhookUrl } from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import type { TestApp } from '../app.ts'
import { createListener } from '../chats/listener.ts'
import { createRateCheck } from '../rate-check.ts'
import { requireAdaptiveCards } from './adaptive-cards.ts'

/** A message, as the bot has written it. */
export interface TeamsMessage {
  conversation: string
  id: string
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the cards
  attachments: any[]
}

/**
 * How the Bot Connector fails. `busy`: another request for the conversation is under way. `lost`: it does what it is
 * asked for, and its answer does not arrive.
 */
type Failure = 'limited' | 'down' | 'busy' | 'lost'

/** A person of the tenant; `isGone` for one who has left. */
interface Person {
  name: string
  email?: string
  isGone?: boolean
  isGuest?: boolean
}

const appId = '1c9d8a52-0f6e-4c39-9a6e-3d4f5b6a7c81'
const appPassword = 'the password of a bot for tests'
export const tenantId = '7d0e5f3c-2a55-4f0e-9d53-5b8a0e6c1a11'
/** The team of Teams to which channels belong, as bots and as Microsoft Graph know it. */
export const teamId = '19:team@thread.tacv2'
export const groupId = '0b1c6a52-6b9e-4a0f-8f5e-2b7a3c9d4e10'

/** The APIs for which tokens are issued: the Bot Connector and Microsoft Graph. */
const scopes = [
  'https://api.botframework.com/.default',
  'https://graph.microsoft.com/.default',
] as const

/** The mention of the bot in a message, as an entity. */
export const mentionOfBot = { type: 'mention', mentioned: { id: `28:${appId}` } }

/**
 * What a bot may do in a conversation, which is a channel as a whole.
 * https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit#per-bot-per-thread-limit
 */
const writes = [
  { seconds: 1, max: 7 },
  { seconds: 2, max: 8 },
  { seconds: 30, max: 60 },
  { seconds: 3_600, max: 1_800 },
]
const reads = [
  { seconds: 1, max: 14 },
  { seconds: 2, max: 16 },
  { seconds: 30, max: 120 },
  { seconds: 3_600, max: 3_600 },
]

/** Of a whole message in UTF-16: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages */
const maxMessageBytes = 100_000

interface GraphMessages {
  /** The hosted contents of messages by their paths: images, and code as text. */
  contents: Record<string, Record<string, Uint8Array | string>>
  /** Whether the tenant lets the app read messages. */
  isAllowed: boolean
}

/**
 * The Bot Connector of Microsoft Teams on a local port: it issues access tokens, keeps messages, checks requests and
 * answers as Microsoft documents. People are known by their Entra ids; the conversation of the bot with one is `a:`
 * and the id. Source: the reference of the Bot Connector.
 */
export function startTeams(people: Record<string, Person>) {
  const microsoft = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const messages: TeamsMessage[] = []
  const faults: unknown[] = []
  /** The tokens that were issued, by the API that they are for. */
  const tokens = new Map<string, string>()
  const failure: { kind: Failure | null } = { kind: null }
  /** Whether the secret of the app has expired, so that neither it nor an earlier token is accepted. */
  const secret = { isExpired: false }
  const files = new Map<string, Uint8Array>()
  const graph: GraphMessages = { contents: {}, isAllowed: true }
  /** The channels of the team, as the list of its conversations has them. */
  const channels: { id: string; name?: string; type?: string }[] = []
  const onMessage = createListener()

  function issueToken(form: URLSearchParams): Response {
    const expected = {
      grant_type: 'client_credentials',
      client_id: appId,
      client_secret: appPassword,
    }
    const scope = form.get('scope') ?? ''
    if (!scopes.some((one) => one === scope))
      return Response.json({ error: 'invalid_scope' }, { status: 400 })
    const isRight = Object.entries(expected).every(([name, value]) => form.get(name) === value)
    if (!isRight || secret.isExpired)
      return Response.json({ error: 'invalid_client' }, { status: 401 })
    const token = randomUUID()
    tokens.set(token, scope)
    return Response.json({ token_type: 'Bearer', expires_in: 3599, access_token: token })
  }

  function contentOf(body: Record<string, unknown>) {
    const attachments = Array.isArray(body['attachments']) ? body['attachments'] : []
    const text = String(body['text'] ?? '')
    try {
      requireAdaptiveCards(attachments)
    } catch (error) {
      faults.push(error)
    }
    faults.push(...messageFaults(body, text, attachments))
    return { text, attachments }
  }

  const sending = createRateCheck(writes)
  const creating = createRateCheck(writes)
  const reading = createRateCheck(reads)
  const count = (rate: typeof sending, key: string) => {
    const fault = rate.count(key.split(';')[0] ?? key)
    if (fault !== null) faults.push(fault)
  }

  function add(conversation: string, body: Record<string, unknown>): TeamsMessage {
    count(sending, conversation)
    const message = { conversation, id: `${messages.length + 1}`, ...contentOf(body) }
    messages.push(message)
    onMessage.start()
    return message
  }

  function createConversation(body: Record<string, unknown>): Response {
    if (Object(body['bot']).id !== `28:${appId}` || body['tenantId'] !== tenantId) return refuse()
    if (body['isGroup'] === true) {
      const channel = String(Object(Object(body['channelData']).channel).id)
      count(creating, channel)
      const { conversation, id } = add(`${channel};messageid=${messages.length + 1}`, {
        ...Object(body['activity']),
      })
      return Response.json({ id: conversation, activityId: id }, { status: 201 })
    }
    const [member] = Array.isArray(body['members']) ? body['members'] : []
    const id = String(Object(member).id)
    count(creating, id)
    return people[id] ? Response.json({ id: `a:${id}` }, { status: 201 }) : forbidden()
  }

  function member(id: string): Response {
    const person = people[id.replace(/^29:/, '')]
    if (!person || person.isGone) return new Response('', { status: 404 })
    const { name, email, isGuest } = person
    const userPrincipalName = isGuest ? `${name}#EXT#@lumen.example` : (email ?? '')
    const ids = { id: `29:${id}`, aadObjectId: id.replace(/^29:/, ''), tenantId }
    return Response.json({ ...ids, name, email, userPrincipalName })
  }

  function replace(id: string, body: Record<string, unknown>): Response {
    const message = messages.find((one) => one.id === id)
    if (!message) return new Response('', { status: 404 })
    Object.assign(message, contentOf(body))
    return Response.json({ id })
  }

  /** What a method does, by the beginning of its request. */
  const methods: [RegExp, (match: string[], body: object) => Response][] = [
    [/^POST v3\/conversations$/, (_, body) => createConversation({ ...body })],
    [
      /^POST v3\/conversations\/([^/]+)\/activities$/,
      ([, conversation = ''], body) =>
        Response.json({ id: add(conversation, { ...body }).id }, { status: 201 }),
    ],
    [
      /^PUT v3\/conversations\/[^/]+\/activities\/([^/]+)$/,
      ([, id = ''], body) => replace(id, { ...body }),
    ],
    [
      /^GET v3\/conversations\/([^/]+)\/members\/([^/]+)$/,
      ([, conversation = '', id = '']) => {
        count(reading, conversation)
        return member(id)
      },
    ],
    [
      /^GET v3\/teams\/([^/]+)\/conversations$/,
      ([, id = '']) =>
        id === teamId
          ? Response.json({ conversations: channels })
          : new Response('', { status: 404 }),
    ],
    [
      /^GET v3\/teams\/([^/]+)$/,
      ([, id = '']) =>
        id === teamId
          ? Response.json({ id, name: 'Wins', aadGroupId: groupId })
          : new Response('', { status: 404 }),
    ],
    [
      /^GET v3\/attachments\/([^/]+)$/,
      ([, name = '']) => new Response(Buffer.from(files.get(name) ?? [])),
    ],
  ]

  function reply(call: string, body: object): Response {
    for (const [pattern, method] of methods) {
      const match = pattern.exec(call)
      if (match) return method(match.map(decodeURIComponent), body)
    }
    return new Response('', { status: 404 })
  }

  /** The hosted contents of messages in Microsoft Graph. */
  function readGraph(pathname: string): Response {
    const path = decodeURIComponent(pathname).replace('/graph/', '')
    const [, message = '', , id = ''] =
      /^(.*)\/hostedContents(\/([^/]+)\/\$value)?$/.exec(path) ?? []
    const contents = graph.contents[message]
    if (!graph.isAllowed) return forbidden()
    if (!contents) return new Response('', { status: 404 })
    if (id === '')
      return Response.json({ value: Object.keys(contents).map((one) => ({ id: one })) })
    const content = contents[id]
    const type = content instanceof Uint8Array ? 'image/png' : 'text/plain'
    const body = content instanceof Uint8Array ? Buffer.from(content) : content
    return new Response(body ?? null, { headers: { 'content-type': type } })
  }

  const failures = { limited: 429, down: 503, busy: 412 }
  const refused = { count: 0 }

  /** The reply of Microsoft Graph, or to a request that is refused; undefined for all others. */
  function otherReply(request: Request): Response | undefined {
    const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const { pathname } = new URL(request.url)
    const isGraph = pathname.startsWith('/graph/')
    const isIssued = tokens.get(bearer) === scopes[isGraph ? 1 : 0]
    if (!isIssued || secret.isExpired) return new Response('', { status: 401 })
    const { kind } = failure
    if (kind !== null && kind !== 'lost') {
      refused.count += 1
      return new Response('', { status: failures[kind] })
    }
    return isGraph ? readGraph(pathname) : undefined
  }

  async function respond(request: Request): Promise<Response> {
    const other = otherReply(request)
    if (other) return other
    const text = await request.text()
    if (Buffer.byteLength(text, 'utf16le') > maxMessageBytes) {
      faults.push('a message over 100 KB')
      return Response.json({ error: { code: 'MessageSizeTooBig' } }, { status: 413 })
    }
    const call = `${request.method} ${new URL(request.url).pathname.slice(1)}`
    const answered = reply(call, text === '' ? {} : JSON.parse(text))
    await onMessage.end()
    // Its kind can have changed since.
    return failure.kind === 'lost' ? new Response('', { status: 502 }) : answered
  }

  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    routes: {
      '/keys': async () => {
        const jwk = { ...(await exportJWK(microsoft.publicKey)), kid: 'microsoft', alg: 'RS256' }
        return Response.json({ keys: [{ ...jwk, endorsements: ['msteams'] }] })
      },
      '/token': async (request) => issueToken(new URLSearchParams(await request.text())),
    },
    fetch: respond,
  })
  const url = `http://127.0.0.1:${server.port}/`

  return {
    url,
    messages,
    faults,
    failure,
    secret,
    /** How many requests have failed like this. */
    refused,
    files,
    graph,
    channels,
    people,
    token: () =>
      new SignJWT({ serviceurl: url })
        .setProtectedHeader({ alg: 'RS256', kid: 'microsoft' })
        .setIssuer('https://api.botframework.com')
        .setAudience(appId)
        .setExpirationTime('1h')
        .sign(microsoft.privateKey),
    onMessage: onMessage.set,
    /** The messages to a person, or the threads of a channel. */
    in: (place: string) =>
      messages.filter(({ conversation }) => conversation.split(';')[0] === place),
    reset() {
      messages.length = 0
      faults.length = 0
      channels.length = 0
      failure.kind = null
      secret.isExpired = false
      refused.count = 0
      onMessage.reset()
      graph.contents = {}
      graph.isAllowed = true
      for (const rate of [sending, creating, reading]) rate.reset()
    },
    stop: () => server.stop(true),
  }
}

export type Teams = ReturnType<typeof startTeams>

/** What Teams refuses in a message, or shows in another way than it was meant. */
const messageFaults = (body: Record<string, unknown>, text: string, attachments: unknown[]) => [
  ...(body['type'] === 'message' ? [] : ['no message']),
  ...(text === '' && attachments.length === 0 ? ['a message without content'] : []),
  // Teams makes two messages of it, and the reply names neither.
  ...(text !== '' && attachments.length > 0 ? ['a text beside attachments'] : []),
  ...(/(?<!\n)\n(?!\n)/.test(text) ? ['a line break that is not shown'] : []),
  ...(['plain', 'markdown', 'xml'].includes(String(body['textFormat'] ?? 'markdown'))
    ? []
    : ['a text format that does not exist']),
]

const refuse = () => Response.json({ error: { code: 'BadSyntax' } }, { status: 400 })
const forbidden = () => Response.json({ error: { code: 'Forbidden' } }, { status: 403 })

/** Where an activity is in a channel of the team, of the type that Teams names in it; it mentions the bot. */
export const inChannel = (channel: string, type?: string) => ({
  conversation: { id: `${channel};messageid=1`, conversationType: 'channel', tenantId },
  channelData: {
    tenant: { id: tenantId },
    team: { id: teamId },
    channel: { id: channel, ...(type && { type }) },
  },
  entities: [mentionOfBot],
})

let activities = 0

/** A team with the bot in its Teams, and the activities that Teams sends for it. */
export async function connectTeamsBot(
  app: TestApp,
  teams: Teams,
  given: Record<string, unknown> = {},
) {
  const team = await app.team()
  const { id, webhookToken } = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given: {
      app_id: appId,
      app_password: appPassword,
      tenant_id: tenantId,
      api_base_url: teams.url,
      quiet_hours: 'none',
      ...given,
    },
  })
  const url = webhookUrl(app.base, 'teams', webhookToken)

  async function activity(user: string, fields: object): Promise<Response> {
    const name = teams.people[user]?.name ?? ''
    const body = {
      type: 'message',
      id: `${Date.now()}${activities++}`,
      timestamp: new Date().toISOString(),
      channelId: 'msteams',
      serviceUrl: teams.url,
      from: { id: `29:${user}`, name, aadObjectId: user },
      conversation: { id: `a:${user}`, conversationType: 'personal', tenantId },
      recipient: { id: `28:${appId}`, name: 'Tidings' },
      channelData: { tenant: { id: tenantId } },
      ...fields,
    }
    const authorization = `Bearer ${await teams.token()}`
    const headers = { 'content-type': 'application/json', authorization }
    return await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }

  const at = ({ conversation, id: replyToId }: TeamsMessage) => ({
    replyToId,
    conversation: { id: conversation, conversationType: 'channel', tenantId },
  })

  return {
    team,
    connectionId: id,
    activity,
    /** A message of a person to the bot, which mentions it. */
    say: (user: string, text: string, more: object = {}) => activity(user, { text, ...more }),
    /** A person uses a button of a message. */
    press: (user: string, data: object, message: TeamsMessage) =>
      activity(user, { value: data, ...at(message) }),
    /** A person opens or submits a dialog, from a message or from a menu. */
    dialog: (user: string, name: string, value: object, message?: TeamsMessage) =>
      activity(user, { type: 'invoke', name, value, ...(message && at(message)) }),
  }
}

export type ConnectedTeamsBot = Awaited<ReturnType<typeof connectTeamsBot>>

/** The data of the button with a name in a card, a message or a dialog. */
export function dataIn(where: unknown, name: string, index = 0): Record<string, unknown> {
  const found: Record<string, unknown>[] = []
  JSON.stringify(where, (key, value) => {
    if (key === 'data' && value.button === name) found.push(value)
    return value
  })
  const data = found[index]
  if (!data) throw new Error(`there is no button ${name}`)
  return data
}
