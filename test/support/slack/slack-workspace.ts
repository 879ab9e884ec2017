import { adapter } from '../../../integrations/slack/adapter.ts'
import manifest from '../../../integrations/slack/manifest.json' with { type: 'json' }
import { createConnection, webhookUrl } from '../../../src/features/connections/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import type { TestApp } from '../app.ts'
import { createListener } from '../chats/listener.ts'
import { areShortEnough, requireBlockKit, requireView } from './block-kit.ts'
import { botToken, formBody, sign } from './slack.ts'

/** A person of the workspace; each has a verified address unless it says otherwise. */
interface Person {
  name: string
  email?: string
  deleted?: boolean
  is_email_confirmed?: boolean
  team_id?: string
  enterprise_user?: { enterprise_id: string; teams?: string[] }
}

export interface Message {
  channel: string
  ts: string
  text: string
  thread_ts?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the blocks
  blocks: any[]
}

/** How a method fails. `lost`: Slack does it, and its answer does not arrive. */
type Failure =
  | 'limited'
  | 'down'
  | 'lost'
  | 'missing_scope'
  | 'token_revoked'
  | 'token_expired'
  | 'account_inactive'

const scopes = manifest.oauth_config.scopes.bot

/** The credentials of the operator's app, without the address of the API. */
export const slackApp = {
  clientId: '1234567890.1234567890',
  clientSecret: 'client secret of these tests',
  signingSecret: 'signing secret of the app of these tests',
}

/**
 * A workspace of Slack on a local port: it keeps messages, checks their blocks and answers as Slack does.
 * Messages to a person are in the conversation `D` and the person's id.
 */
export function startWorkspace(people: Record<string, Person>) {
  const messages: Message[] = []
  const failures = new Map<string, Failure>()
  const calls: string[] = []
  const replies: Record<string, string>[] = []
  /** The home of each person who has opened it. */
  const homes = new Map<string, Message['blocks']>()
  /** What only one person sees. */
  const ephemerals: Message[] = []
  const opened: Record<string, string>[] = []
  /** A trigger opens one form. */
  const usedTriggers = new Set<string>()
  /** The images of messages, by the ids of their files. */
  const files = new Map<string, Uint8Array>()
  /** The credentials with which tokens were revoked. */
  const revoked: string[] = []
  /** What the checks of the messages have found. */
  const faults: unknown[] = []
  /** What an approval with a code leads to, and what a refresh token is exchanged for; each works once. */
  const grants = new Map<string, object>()
  const refreshes = new Map<string, object>()
  /** The sockets that apps have opened, and what they have acknowledged, by the id of the envelope. */
  const sockets = new Set<Bun.ServerWebSocket<undefined>>()
  const acknowledged = new Map<string, unknown>()
  const socketUrl = { address: '' }
  /** Whether an app is greeted on its socket, and how many have been. */
  const hello = { isSent: true, count: 0 }
  /** Tests plan messages some minutes ahead, and Slack has none from before that. */
  let seconds = Math.floor(Date.now() / 1000) + 3_600
  const onMessage = createListener()
  const onHome = createListener()

  /** Runs when an app has acknowledged a request over a socket. */
  let onAcknowledged = () => {}

  /** Slack's answer to an app without a permission of the manifest; null when the app has it. */
  const lacking = (needed: string) =>
    scopes.includes(needed)
      ? null
      : { ok: false, error: 'missing_scope', needed, provided: scopes.join(',') }

  const historyScope = (channel: string) =>
    channel.startsWith('D') ? 'im:history' : 'channels:history'

  const exchange = (from: Map<string, object>, key: string, error: string) => {
    const granted = from.get(key)
    from.delete(key)
    return granted ? { ok: true, ...granted } : { ok: false, error }
  }

  const methods: Record<string, (fields: Record<string, string>) => object> = {
    'oauth.v2.access': ({
      client_id,
      client_secret,
      grant_type,
      refresh_token = '',
      code = '',
    }) => {
      if (client_id !== slackApp.clientId) return { ok: false, error: 'invalid_client_id' }
      if (client_secret !== slackApp.clientSecret) return { ok: false, error: 'bad_client_secret' }
      return grant_type === 'refresh_token'
        ? exchange(refreshes, refresh_token, 'invalid_refresh_token')
        : exchange(grants, code, 'invalid_code')
    },
    'auth.revoke': ({ bearer = '' }) => {
      revoked.push(bearer)
      return { ok: true, revoked: true }
    },
    'apps.connections.open': () => ({ ok: true, url: socketUrl.address }),
    'auth.test': () => ({ ok: true, bot_id: 'B0NEWS', user_id: 'U0BOT', team_id: 'T0ACME' }),
    'users.info': ({ user = '' }) => {
      const person = people[user]
      if (!person) return { ok: false, error: 'user_not_found' }
      const { name, email, ...rest } = person
      const profile = { display_name: name, ...(email && { email }) }
      return { ok: true, user: { id: user, team_id: 'T0ACME', profile, ...rest } }
    },
    'conversations.open': ({ users = '' }) => ({ ok: true, channel: { id: `D${users}` } }),
    'conversations.history': ({ channel = '', oldest = '0', limit = '100' }) =>
      lacking(historyScope(channel)) ?? {
        ok: true,
        messages: messages
          .filter((one) => one.channel === channel && Number(one.ts) > Number(oldest))
          .toReversed()
          .slice(0, Number(limit)),
      },
    'conversations.info': ({ channel = '' }) =>
      lacking(channel.startsWith('CPRIVATE') ? 'groups:read' : 'channels:read') ?? {
        ok: true,
        channel: { id: channel, is_channel: true, is_private: false },
      },
    // The message with the thread comes first, whatever its age.
    'conversations.replies': ({ channel = '', ts, oldest = '0', limit = '1000' }) =>
      lacking(historyScope(channel)) ?? {
        ok: true,
        messages: messages
          .filter((one) => one.channel === channel)
          .filter(
            (one) => one.ts === ts || (one.thread_ts === ts && Number(one.ts) > Number(oldest)),
          )
          .slice(0, Number(limit)),
      },
    'reactions.get': ({ channel, timestamp }) => ({
      ok: true,
      channel,
      message: {
        ts: timestamp,
        user: 'U0ADA',
        text: 'We shipped search',
        reactions: [{ name: 'rolled_up_newspaper', count: 1, users: ['U0ADA'] }],
      },
    }),
    'chat.getPermalink': ({ channel, message_ts }) => ({
      ok: true,
      permalink: `https://acme.slack.com/archives/${channel}/p${message_ts}`,
    }),
    'chat.postMessage': ({ channel = '', text = '', blocks = '[]', thread_ts }) => {
      const message: Message = {
        channel,
        text,
        blocks: JSON.parse(blocks),
        ts: `${seconds++}.000100`,
        ...(thread_ts && { thread_ts }),
      }
      checkMessage(message)
      messages.push(message)
      onMessage.start()
      return { ok: true, channel, ts: message.ts }
    },
    'chat.postEphemeral': ({ channel = '', text = '', blocks = '[]', user = '' }) => {
      const message = { channel, text, blocks: JSON.parse(blocks), ts: user }
      checkBlocks(message.blocks)
      ephemerals.push(message)
      return { ok: true }
    },
    // https://docs.slack.dev/reference/methods/views.publish
    'views.publish': ({ user_id = '', view = '{}', hash }) => {
      const home = JSON.parse(view)
      const shown = Bun.hash(JSON.stringify(homes.get(user_id) ?? null)).toString(36)
      if (hash !== undefined && hash !== shown) return { ok: false, error: 'hash_conflict' }
      check(() => requireView(home))
      homes.set(user_id, home.blocks)
      onHome.start()
      return { ok: true }
    },
    'files.info': ({ file = '' }) =>
      files.has(file)
        ? { ok: true, file: { id: file, url_private: `${origin}/files/${file}` } }
        : { ok: false, error: 'file_not_found' },
    'views.open': (fields) => {
      const trigger = fields['trigger_id'] ?? ''
      if (usedTriggers.has(trigger)) return { ok: false, error: 'exchanged_trigger_id' }
      usedTriggers.add(trigger)
      check(() => requireView(JSON.parse(fields['view'] ?? '{}')))
      opened.push(fields)
      return { ok: true }
    },
    'chat.update': ({ channel, ts, text = '', blocks = '[]' }) => {
      const message = messages.find((one) => one.channel === channel && one.ts === ts)
      if (!message) return { ok: false, error: 'message_not_found' }
      Object.assign(message, { text, blocks: JSON.parse(blocks) })
      checkMessage(message)
      return { ok: true, channel, ts }
    },
  }

  /** Screen readers and notifications have the text, not the blocks. */
  function checkMessage({ text, blocks }: Message): void {
    checkBlocks(blocks)
    if (!areShortEnough(blocks)) faults.push('msg_blocks_too_long')
    if (text === '') faults.push('a message without a text')
    if (text.length > 4_000) faults.push('a text of more than 4,000 characters')
  }

  function checkBlocks(blocks: Message['blocks'] = []): void {
    if (blocks.length > 0) check(() => requireBlockKit(blocks))
  }

  function check(work: () => void): void {
    try {
      work()
    } catch (error) {
      faults.push(error)
    }
  }

  function answerTo(method: string, request: Request, text: string): object {
    const bearer = request.headers.get('authorization') ?? ''
    const error = credentialsError(method, bearer)
    if (error !== null) return { ok: false, error }
    const fields = { ...Object.fromEntries(new URLSearchParams(text)), bearer }
    const known = methods[method]
    if (known) return known(fields)
    faults.push(`the method ${method}`)
    return { ok: false, error: 'unknown_method' }
  }

  /** What is wrong with the token of a request: each method takes one kind. */
  function credentialsError(method: string, bearer: string): string | null {
    if (method === 'oauth.v2.access' || method === 'auth.revoke') return null
    const isSocket = method === 'apps.connections.open'
    const isKnown = isSocket ? /^Bearer xapp-/.test(bearer) : /^Bearer xoxb-/.test(bearer)
    if (isKnown) return null
    faults.push(`${method} with another token`)
    return bearer === '' ? 'not_authed' : 'not_allowed_token_type'
  }

  async function respond(request: Request): Promise<Response> {
    const method = new URL(request.url).pathname.replace(/^\/api\//, '')
    const text = await request.text()
    if (method === '/hooks/answer') {
      const reply = JSON.parse(text)
      checkBlocks(reply.blocks)
      replies.push(reply)
      return new Response('ok')
    }
    calls.push(method)
    const failure = failures.get(method)
    if (failure === 'limited')
      return new Response('', { status: 429, headers: { 'retry-after': '1' } })
    if (failure === 'down') return new Response('upstream', { status: 503 })
    const isLost = failure === 'lost'
    if (failure && !isLost) return Response.json({ ok: false, error: failure })
    const reply = answerTo(method, request, text)
    await onMessage.end()
    await onHome.end()
    return isLost ? new Response('', { status: 502 }) : Response.json(reply)
  }

  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    routes: {
      '/files/:id': ({ params: { id } }) =>
        new Response(Buffer.from(files.get(id) ?? []), {
          headers: { 'content-type': 'image/png' },
        }),
    },
    fetch: (request, bun) => (bun.upgrade(request) ? undefined : respond(request)),
    websocket: {
      open(socket) {
        sockets.add(socket)
        if (!hello.isSent) return
        hello.count += 1
        socket.send(JSON.stringify({ type: 'hello', num_connections: sockets.size }))
      },
      message(_, text) {
        const { envelope_id, payload } = JSON.parse(String(text))
        acknowledged.set(envelope_id, payload)
        onAcknowledged()
      },
      close: (socket) => void sockets.delete(socket),
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  socketUrl.address = `ws://127.0.0.1:${server.port}/link`
  return {
    sockets,
    acknowledged,
    socketUrl,
    hello,
    messages,
    failures,
    calls,
    /** What people got through response addresses, oldest first. */
    answers: replies,
    faults,
    homes,
    files,
    ephemerals,
    opened,
    revoked,
    grants,
    refreshes,
    people,
    apiUrl: `${origin}/api/`,
    responseUrl: `${origin}/hooks/answer`,
    onMessage: onMessage.set,
    onHome: onHome.set,
    onAcknowledged(listener: () => void) {
      onAcknowledged = listener
    },
    /** The messages in a conversation, oldest first. */
    in: (channel: string) => messages.filter((message) => message.channel === channel),
    reset() {
      usedTriggers.clear()
      for (const list of [messages, calls, replies, faults, ephemerals, opened, revoked])
        list.length = 0
      homes.clear()
      failures.clear()
    },
    stop: () => server.stop(true),
  }
}

export type Workspace = ReturnType<typeof startWorkspace>

const signingSecret = 'a secret of these tests'
let requests = 0

/** Connects a team to the workspace. */
export const addConnection = async (
  app: TestApp,
  { id }: Team,
  { apiUrl }: Workspace,
  given: Record<string, unknown>,
) =>
  await createConnection(systemContext(app.forwarder, id), {
    adapter,
    given: {
      signing_secret: signingSecret,
      bot_token: botToken,
      api_base_url: apiUrl,
      quiet_hours: 'none',
      ...given,
    },
  })

/** A team whose Slack is the workspace, and the requests that Slack sends for it. */
export async function connectTeam(
  app: TestApp,
  workspace: Workspace,
  given: Record<string, unknown> = {},
) {
  const team: Team = await app.team()
  const { id, webhookToken } = await addConnection(app, team, workspace, given)
  const url = webhookUrl(app.base, 'slack', webhookToken)
  const from = { api_app_id: 'A0NEWS', team: { id: 'T0ACME' } }

  const request = (fields: object) => post(formBody(fields), 'application/x-www-form-urlencoded')

  async function post(body: string, contentType: string): Promise<Response> {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = {
      'content-type': contentType,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': sign(body, timestamp, signingSecret),
    }
    return await fetch(url, { method: 'POST', headers, body })
  }

  return {
    team,
    connectionId: id,
    url,
    request,
    /** An event of the Events API. */
    event: async (event: object, event_id = `Ev${requests++}`) => {
      const body = JSON.stringify({
        type: 'event_callback',
        team_id: 'T0ACME',
        api_app_id: 'A0NEWS',
        event_id,
        authorizations: [{ user_id: 'U0BOT', is_bot: true }],
        event,
      })
      return await post(body, 'application/json')
    },
    /** A slash command of a person. */
    command: (user: string, command: string, text: string, channel_id = 'C0WINS') =>
      request({
        command,
        text,
        user_id: user,
        user_name: user.toLowerCase(),
        team_id: 'T0ACME',
        api_app_id: 'A0NEWS',
        channel_id,
        trigger_id: `trigger-${requests++}`,
        response_url: workspace.responseUrl,
      }),
    /** A person submits a form that the workspace has opened, with these values of its fields. */
    submitForm: (user: string, view: object, values: Record<string, string>) =>
      request({
        ...from,
        type: 'view_submission',
        user: { id: user, name: user.toLowerCase(), team_id: 'T0ACME' },
        view: {
          ...view,
          id: `V${requests++}`,
          hash: '1.a',
          state: {
            values: Object.fromEntries(
              Object.entries(values).map(([name, value]) => [name, { [name]: { value } }]),
            ),
          },
        },
      }),
    /** A person uses a button of a message. */
    press: (
      user: string,
      { action_id, value }: { action_id: string; value: string },
      at: Message,
    ) =>
      request({
        ...from,
        type: 'block_actions',
        user: { id: user, team_id: 'T0ACME' },
        trigger_id: `trigger-${requests++}`,
        response_url: workspace.responseUrl,
        container: { type: 'message', channel_id: at.channel, message_ts: at.ts },
        channel: { id: at.channel },
        actions: [
          { type: 'button', action_id, block_id: 'b', value, action_ts: `${requests++}.1` },
        ],
      }),
  }
}

export type ConnectedTeam = Awaited<ReturnType<typeof connectTeam>>

/** The button with an action id in a message. */
export function buttonOf(
  message: Pick<Message, 'blocks'> | undefined,
  actionId: string,
  index = 0,
) {
  const found = (message?.blocks ?? [])
    .flatMap(({ elements = [] }) => elements)
    .filter(({ action_id }) => action_id === actionId)
  if (!found[index]) throw new Error(`the message has no button ${actionId}`)
  return found[index]
}

/** All text of a message that people see. */
export const textOf = (message: Message | undefined): string =>
  JSON.stringify(message?.blocks ?? []).replaceAll('\\n', '\n')
