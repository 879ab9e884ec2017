import { createListener } from '../chats/listener.ts'
import { createRateCheck } from '../rate-check.ts'
import {
  type CommandOption,
  type Component,
  commandFaults,
  messageFaults,
  type SentMessage,
} from './discord-checks.ts'

/** A person of the server. */
interface Person {
  name: string
  nick?: string
  /** Whether the person takes no direct messages. */
  isClosed?: boolean
}

export interface DiscordMessage {
  id: string
  channel_id: string
  content: string
  flags: number
  components: Component[]
  nonce?: string
}

/** How a route fails. `lost`: Discord does it, and its response does not arrive. */
type Failure = 'limited' | 'limited_everywhere' | 'down' | 'lost' | 'no_access'

export const discord = {
  application: '1300000000000000001',
  server: '1400000000000000001',
  botToken: 'the bot token of these tests',
}

interface Channel {
  type: number
  parent_id?: string
  permission_overwrites?: { id: string; type: number; allow: string; deny: string }[]
}

const refused = (status: number, code: number) =>
  Response.json({ code, message: 'refused' }, { status })

const epochMs = 1_420_070_400_000

/** https://docs.discord.com/developers/topics/rate-limits#global-rate-limit */
const globalRate = { seconds: 1, max: 50 }

/** How long the token of an interaction is valid: https://docs.discord.com/developers/interactions/receiving-and-responding */
const tokenMs = 15 * 60_000

/** An interaction that the app may answer; `response` is the kind of its first response. */
interface OpenInteraction {
  at: number
  response: number | null
}

/**
 * A Discord server on a local port, written from Discord's documentation: it keeps messages, checks them and its
 * limits, and responds as Discord does. Direct messages to a person are in the channel `9` and the person's id.
 */
export function startDiscord(people: Record<string, Person>) {
  const messages: DiscordMessage[] = []
  const failures = new Map<string, Failure>()
  const calls: string[] = []
  const faults: unknown[] = []
  /** What only one person sees: replies through the token of an interaction. */
  const replies: { path: string; message: SentMessage }[] = []
  const channels = new Map<string, Channel>()
  const interactions = new Map<string, OpenInteraction>()
  const rate = createRateCheck([globalRate])
  let commands: CommandOption[] = []
  let everybody = 1024n
  let count = 0
  const onMessage = createListener()

  const newId = () => String((BigInt(Date.now() - epochMs) << 22n) + BigInt(count++ % 4_000_000))
  const isOpen = (channel: string) =>
    !channel.startsWith('9') || !people[channel.slice(1)]?.isClosed

  function check(message: SentMessage): void {
    faults.push(...messageFaults(message))
  }

  function createMessage(channel: string, sent: SentMessage): Response {
    if (!isOpen(channel)) return refused(403, 50_007)
    check(sent)
    const { nonce, enforce_nonce } = sent
    const known = nonce && enforce_nonce && messages.find((one) => one.nonce === nonce)
    if (known) return Response.json(known)
    const { content = '', flags = 0, components = [] } = sent
    const message = { id: newId(), channel_id: channel, content, flags, components }
    messages.push({ ...message, ...(nonce && { nonce }) })
    onMessage.start()
    return Response.json(message)
  }

  function editMessage(id: string, sent: SentMessage): Response {
    const message = messages.find((one) => one.id === id)
    if (!message) return refused(404, 10_008)
    check(sent)
    message.components = sent.components ?? []
    return Response.json(message)
  }

  /** The newest messages first, without their nonce, as Discord lists them. */
  function listMessages(channel: string, query: URLSearchParams): Response {
    const after = BigInt(query.get('after') ?? 0)
    const found = messages.filter((one) => one.channel_id === channel && BigInt(one.id) > after)
    const listed = found.map(({ nonce: _, ...message }) => message).toReversed()
    return Response.json(listed.slice(0, Number(query.get('limit') ?? 50)))
  }

  function memberOf(id: string): Response {
    const person = people[id]
    if (!person) return refused(404, 10_007)
    const { name, nick = null } = person
    return Response.json({ nick, user: { id, username: name.toLowerCase(), global_name: name } })
  }

  /** Responds to the path, the body and the address of a request. */
  type Handler = (match: RegExpExecArray, body: string, url: URL) => Response
  const routes: [string, RegExp, Handler][] = [
    ['GET', /^applications\/@me$/, () => Response.json({ id: discord.application })],
    [
      'PUT',
      /^applications\/(\d+)\/commands$/,
      (_, body) => {
        commands = JSON.parse(body)
        faults.push(...commandFaults(commands))
        return Response.json(commands)
      },
    ],
    ['GET', /^users\/@me\/guilds$/, () => Response.json([{ id: discord.server }])],
    [
      'POST',
      /^users\/@me\/channels$/,
      (_, body) => Response.json({ id: `9${JSON.parse(body).recipient_id}` }),
    ],
    ['GET', /^guilds\/\d+\/members\/(\d+)$/, ([, id = '']) => memberOf(id)],
    [
      'GET',
      /^guilds\/(\d+)$/,
      ([, id]) => Response.json({ roles: [{ id, permissions: String(everybody) }] }),
    ],
    [
      'POST',
      /^channels\/(\d+)\/messages$/,
      ([, id = ''], body) => createMessage(id, JSON.parse(body)),
    ],
    [
      'GET',
      /^channels\/(\d+)\/messages$/,
      ([, id = ''], _, url) => listMessages(id, url.searchParams),
    ],
    [
      'PATCH',
      /^channels\/\d+\/messages\/(\d+)$/,
      ([, id = ''], body) => editMessage(id, JSON.parse(body)),
    ],
    [
      'GET',
      /^channels\/(\d+)$/,
      ([, id = '']) => Response.json({ id, ...(channels.get(id) ?? { type: 0 }) }),
    ],
  ]

  /** Why a reply through the token of an interaction is refused; null when it is not. */
  function refusalOf(path: string): Response | null {
    const [, application = '', token = '', place = ''] =
      /^webhooks\/(\d+)\/([^/]+)(\/messages\/@original)?$/.exec(path) ?? []
    const known = interactions.get(token)
    if (application !== discord.application || !known) {
      faults.push(`a reply to ${path}`)
      return refused(404, 10_015)
    }
    // A response that is still on its way is no fault.
    if (known.response === null) return refused(404, 10_015)
    if (Date.now() - known.at > tokenMs) {
      faults.push('a reply with a token that has expired')
      return refused(401, 50_027)
    }
    if (place === '' || known.response !== 9) return null
    faults.push('a change of a response that was a form')
    return refused(404, 10_008)
  }

  function reply(path: string, message: SentMessage): Response {
    const refusal = refusalOf(path)
    if (refusal) return refusal
    check(message)
    replies.push({ path, message })
    return Response.json({ id: newId() })
  }

  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const path = url.pathname.replace('/api/v10/', '')
      const body = await request.text()
      const agent = request.headers.get('user-agent') ?? ''
      if (!/^DiscordBot \(https?:\/\/[^\s,]+, [^\s)]+\)/.test(agent))
        faults.push(`the agent ${agent}`)
      if (path.startsWith('webhooks/'))
        return answer('POST webhooks', () => reply(path, JSON.parse(body)))
      if (request.headers.get('authorization') !== `Bot ${discord.botToken}`) return refused(401, 0)
      const exceeded = rate.count('the bot')
      if (exceeded !== null) faults.push(exceeded)
      const response = route(request.method, path, { body, url })
      await onMessage.end()
      return response
    },
  })

  function route(
    method: string,
    path: string,
    { body, url }: { body: string; url: URL },
  ): Response {
    for (const [expected, pattern, handle] of routes) {
      const match = method === expected ? pattern.exec(path) : null
      if (match)
        return answer(`${method} ${path.replace(/\d+/g, '*')}`, () => handle(match, body, url))
    }
    faults.push(`unknown route ${method} ${path}`)
    return refused(404, 0)
  }

  function answer(name: string, handle: () => Response): Response {
    calls.push(name)
    const failure = failures.get(name)
    if (failure === 'limited' || failure === 'limited_everywhere') {
      const isGlobal = failure === 'limited_everywhere'
      const body = { message: 'limited', retry_after: 0.4, global: isGlobal }
      return Response.json(body, { status: 429, headers: { 'retry-after': '1' } })
    }
    if (failure === 'down') return new Response('upstream', { status: 503 })
    if (failure === 'no_access') return refused(403, 50_001)
    const response = handle()
    return failure === 'lost' ? new Response('', { status: 502 }) : response
  }

  return {
    people,
    messages,
    failures,
    calls,
    faults,
    replies,
    interactions,
    channels,
    commands: () => commands,
    /** What the role of everybody may do in the server. */
    setEverybody: (permissions: bigint) => {
      everybody = permissions
    },
    onMessage: onMessage.set,
    in: (channel: string) => messages.filter(({ channel_id }) => channel_id === channel),
    to: (person: string) => messages.filter(({ channel_id }) => channel_id === `9${person}`),
    apiUrl: `http://127.0.0.1:${server.port}/api/v10/`,
    reset() {
      for (const list of [messages, calls, faults, replies]) list.length = 0
      failures.clear()
    },
    stop: () => server.stop(true),
  }
}

export type DiscordServer = ReturnType<typeof startDiscord>
