import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import * as v from 'valibot'
import { createListener } from '../chats/listener.ts'
import {
  dialogFaults,
  OpenedDialog,
  type PostAction,
  PostAttachment,
  postFaults,
  SentPost,
} from './mattermost-checks.ts'

/** A person of the server. */
interface Person {
  username: string
  first_name?: string
  last_name?: string
  nickname?: string
  email?: string
  email_verified?: boolean
  /** When the account was deactivated. */
  delete_at?: number
  is_bot?: boolean
  roles?: string
  remote_id?: string
}

export interface MattermostPost {
  id: string
  channel_id: string
  user_id: string
  message: string
  props: NonNullable<SentPost['props']>
  create_at: number
}

/** A message that a person has written. */
interface WrittenPost {
  channel_id: string
  user_id: string
  message: string
  type?: string
  metadata?: { files: { id: string; mime_type: string }[] }
}

/** A reply of an app at the response address of a command. */
type CommandReply = v.InferOutput<typeof CommandReply>
const CommandReply = v.object({
  response_type: v.string(),
  text: v.string(),
  attachments: v.optional(v.array(PostAttachment)),
})

/** https://developers.mattermost.com/api-documentation/#/operations/CreateCommand */
const MattermostCommand = v.object({
  id: v.optional(v.string(), ''),
  token: v.optional(v.string(), ''),
  team_id: v.pipe(v.string(), v.length(26)),
  method: v.picklist(['P', 'G']),
  trigger: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9_-]{0,127}$/)),
  url: v.pipe(v.string(), v.url(), v.maxLength(1024)),
  display_name: v.optional(v.pipe(v.string(), v.maxLength(64))),
  auto_complete: v.optional(v.boolean()),
  auto_complete_desc: v.optional(v.pipe(v.string(), v.maxLength(1024))),
  auto_complete_hint: v.optional(v.pipe(v.string(), v.maxLength(1024))),
})
type MattermostCommand = v.InferOutput<typeof MattermostCommand>

/** How a route fails. `lost`: Mattermost does it, and its response does not arrive. */
type Failure = 'limited' | 'down' | 'lost' | 'no_access'

/** How often and how long replies to a command are taken: https://developers.mattermost.com/integrate/slash-commands/custom */
const maxReplies = 5
const replyMs = 30 * 60_000

export const bot = {
  id: 'tidingsbot0000000000000001',
  token: 'the access token of these tests',
}

const refused = (status: number, id: string) =>
  Response.json({ id, message: 'refused', status_code: status }, { status })

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const publicDer = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')

/** The id of the direct channel of the bot and a person. */
export const directOf = (user: string): string =>
  `d${createHash('sha256').update(user).digest('hex').slice(0, 25)}`

const newTrigger = (user: string, at: number, key = privateKey) => {
  const signed = `${crypto.randomUUID().replaceAll('-', '').slice(0, 26)}:${user}:${at}:`
  const signature = sign('sha256', Buffer.from(signed), key).toString('base64')
  return Buffer.from(signed + signature).toString('base64')
}

/**
 * A Mattermost server on a local port, written from its published source: it keeps messages, opens forms for the person
 * of a trigger, recognizes repeated messages for half a minute, and responds as Mattermost does.
 */
export function startMattermost(people: Record<string, Person>) {
  const posts: MattermostPost[] = []
  const dialogs: { user: string; opened: OpenedDialog }[] = []
  /** What only one person sees: replies at the response address of a command. */
  const replies: (Omit<CommandReply, 'response_type'> & { user: string })[] = []
  /** The slash commands of its teams. A token is made by the server and never changed by an update. */
  const commands: MattermostCommand[] = []
  const failures = new Map<string, Failure>()
  const calls: string[] = []
  const faults: unknown[] = []
  const channels = new Map<string, { type: string; isMember?: boolean }>()
  /** What people have written. */
  const written = new Map<string, WrittenPost>()
  const files = new Map<string, Uint8Array>()
  const pending = new Map<string, MattermostPost>()
  const actions = new Map<string, { post: MattermostPost; action: PostAction }>()
  let isAdmin = false
  let count = 0
  const onMessage = createListener()

  const newId = (start: string) => `${start}${String(count++).padStart(26 - start.length, '0')}`

  function userOf(id: string): Response {
    const person = people[id]
    if (!person) return refused(404, 'app.user.missing_account.const')
    const { email = '', email_verified, ...shown } = person
    const seen = isAdmin ? { email, ...(email_verified && { email_verified }) } : { email: '' }
    return Response.json({ id, delete_at: 0, roles: 'system_user', ...shown, ...seen })
  }

  function createPost(sent: SentPost): Response {
    faults.push(...postFaults(sent))
    const { channel_id = '', message = '', props = {}, pending_post_id = '' } = sent
    const known = pending.get(pending_post_id)
    if (pending_post_id && known) return Response.json(shown(known), { status: 201 })
    const id = newId('post')
    const post = { id, channel_id, user_id: bot.id, message, props, create_at: Date.now() }
    posts.push(post)
    pending.set(pending_post_id, post)
    keepActions(post)
    onMessage.start()
    return Response.json(shown(post), { status: 201 })
  }

  function keepActions(post: MattermostPost) {
    for (const { actions: all = [] } of post.props.attachments ?? [])
      for (const action of all) actions.set(`${post.id} ${action.id}`, { post, action })
  }

  /** A post as clients get it: without the address and the content of its buttons. */
  const shown = (post: MattermostPost) => ({
    ...post,
    props: {
      ...post.props,
      attachments: (post.props.attachments ?? []).map((one) => ({
        ...one,
        actions: (one.actions ?? []).map(({ integration: _, ...action }) => action),
      })),
    },
  })

  function patchPost(id: string, { message, props }: SentPost): Response {
    const post = posts.find((one) => one.id === id)
    if (!post) return refused(404, 'app.post.get.app_error')
    faults.push(
      ...postFaults({
        channel_id: post.channel_id,
        ...(message && { message }),
        ...(props && { props }),
      }),
    )
    // A server with a time limit for edits refuses that.
    if (message !== undefined && message !== post.message) faults.push('an update of the text')
    if (props !== undefined) post.props = props
    keepActions(post)
    return Response.json(shown(post))
  }

  function listPosts(channel: string, query: URLSearchParams): Response {
    const since = Number(query.get('since') ?? 0)
    const found = posts.filter((one) => one.channel_id === channel && one.create_at > since)
    return Response.json({
      order: found.map(({ id }) => id).toReversed(),
      posts: Object.fromEntries(found.map((post) => [post.id, shown(post)])),
    })
  }

  function createCommand(sent: MattermostCommand): Response {
    const isTaken = commands.some(
      ({ team_id, trigger }) => team_id === sent.team_id && trigger === sent.trigger,
    )
    if (isTaken) return refused(400, 'api.command.duplicate_trigger.app_error')
    const command = { ...sent, id: newId('command'), token: newId('token') }
    commands.push(command)
    return Response.json(command, { status: 201 })
  }

  function openDialog(opened: OpenedDialog): Response {
    const user = userOfTrigger(opened.trigger_id ?? '')
    if (user === null) return refused(400, 'interactive_message.decode_trigger_id.expired')
    faults.push(...dialogFaults(opened))
    dialogs.push({ user, opened })
    return Response.json({ status: 'OK' })
  }

  /** The person of a trigger that this server has made and that has not expired. */
  function userOfTrigger(trigger: string): string | null {
    const [, user = '', , signature] = Buffer.from(trigger, 'base64').toString().split(':')
    return signature && triggers.has(trigger) ? user : null
  }
  const triggers = new Set<string>()

  type Handler = (match: RegExpExecArray, body: unknown, url: URL) => Response
  const routes: [string, RegExp, Handler][] = [
    ['GET', /^users\/me$/, () => Response.json({ id: bot.id, username: 'tidings', is_bot: true })],
    ['GET', /^users\/([a-z0-9]{26})$/, ([, id = '']) => userOf(id)],
    [
      'POST',
      /^channels\/direct$/,
      (_, body) => {
        const [one, other] = v.parse(v.tuple([v.string(), v.string()]), body)
        if (one !== bot.id || !people[other]) return refused(400, 'api.context.invalid_param')
        return Response.json({ id: directOf(other), type: 'D' }, { status: 201 })
      },
    ],
    ['POST', /^posts$/, (_, body) => createPost(v.parse(SentPost, body))],
    [
      'GET',
      /^posts\/([a-z0-9]{26})$/,
      ([, id = '']) => {
        const post = written.get(id)
        if (!post) return refused(404, 'app.post.get.app_error')
        const isMember = channels.get(post.channel_id)?.isMember !== false
        return isMember ? Response.json({ id, ...post }) : refused(403, 'api.context.permissions')
      },
    ],
    [
      'PUT',
      /^posts\/([a-z0-9]{26})\/patch$/,
      ([, id = ''], body) => patchPost(id, v.parse(SentPost, body)),
    ],
    [
      'GET',
      /^channels\/([a-z0-9]{26})\/posts$/,
      ([, id = ''], _, url) => listPosts(id, url.searchParams),
    ],
    [
      'GET',
      /^channels\/([a-z0-9]{26})$/,
      ([, id = '']) => Response.json({ id, ...(channels.get(id) ?? { type: 'O' }) }),
    ],
    [
      'GET',
      /^commands$/,
      (_, _body, { searchParams }) =>
        Response.json(commands.filter(({ team_id }) => team_id === searchParams.get('team_id'))),
    ],
    ['POST', /^commands$/, (_, body) => createCommand(v.parse(MattermostCommand, body))],
    [
      'PUT',
      /^commands\/([a-z0-9]{26})$/,
      ([, id = ''], body) => {
        const sent = v.parse(MattermostCommand, body)
        const command = commands.find((one) => one.id === id)
        if (!command || sent.id !== id) return refused(404, 'store.sql_command.get.missing')
        Object.assign(command, sent, { token: command.token })
        return Response.json(command)
      },
    ],
    [
      'DELETE',
      /^commands\/([a-z0-9]{26})$/,
      ([, id = '']) => {
        const index = commands.findIndex((one) => one.id === id)
        if (index < 0) return refused(404, 'store.sql_command.get.missing')
        commands.splice(index, 1)
        return Response.json({ status: 'OK' })
      },
    ],
    ['POST', /^actions\/dialogs\/open$/, (_, body) => openDialog(v.parse(OpenedDialog, body))],
    [
      'GET',
      /^config\/client$/,
      () => Response.json({ AsymmetricSigningPublicKey: publicDer, Version: '11.0.0' }),
    ],
    ['GET', /^files\/(\w+)$/, ([, id = '']) => new Response(files.get(id) ?? null)],
  ]

  /** The response addresses of commands, with their person, the time of the command and the replies so far. */
  const addresses = new Map<string, { user: string; at: number; used: number }>()

  function keepReply(path: string, { response_type, ...reply }: CommandReply): Response {
    const { text, attachments = [] } = reply
    const address = addresses.get(path)
    if (!address) faults.push('a reply to no command')
    else if (Date.now() - address.at > replyMs) faults.push('a reply after half an hour')
    else if (++address.used > maxReplies) faults.push('more than five replies to a command')
    faults.push(...postFaults({ message: text, props: { attachments } }))
    if (response_type !== 'ephemeral') faults.push('a reply that everybody sees')
    replies.push({ ...reply, user: address?.user ?? '' })
    return new Response('ok')
  }

  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url)
      const hasBody = ['POST', 'PUT'].includes(request.method)
      const body: unknown = hasBody ? await request.json() : null
      if (url.pathname.startsWith('/hooks/commands/'))
        return keepReply(url.pathname, v.parse(CommandReply, body))
      const path = url.pathname.replace('/api/v4/', '')
      if (request.headers.get('authorization') !== `Bearer ${bot.token}`)
        return refused(401, 'api.context.session_expired.app_error')
      const response = route(request.method, path, { body, url })
      await onMessage.end()
      return response
    },
  })

  function route(
    method: string,
    path: string,
    { body, url }: { body: unknown; url: URL },
  ): Response {
    for (const [expected, pattern, handle] of routes) {
      const match = method === expected ? pattern.exec(path) : null
      if (match)
        return answer(`${method} ${path.replace(/[a-z0-9]{26}/g, '*')}`, () =>
          handle(match, body, url),
        )
    }
    faults.push(`unknown route ${method} ${path}`)
    return refused(404, 'api.context.404.app_error')
  }

  function answer(name: string, handle: () => Response): Response {
    calls.push(name)
    const failure = failures.get(name)
    if (failure === 'limited')
      return new Response('limit exceeded', {
        status: 429,
        headers: {
          'X-Ratelimit-Limit': '10',
          'X-Ratelimit-Remaining': '0',
          'X-Ratelimit-Reset': '1',
        },
      })
    if (failure === 'down') return new Response('upstream', { status: 503 })
    if (failure === 'no_access') return refused(403, 'api.context.permissions.app_error')
    const response = handle()
    return failure === 'lost' ? new Response('', { status: 502 }) : response
  }

  return {
    people,
    posts,
    dialogs,
    replies,
    commands,
    failures,
    calls,
    faults,
    channels,
    written,
    files,
    url: `http://127.0.0.1:${server.port}`,
    /** A trigger as this server makes it, or one that it has not made. */
    trigger(user: string, { at = Date.now(), isForged = false } = {}): string {
      const key = isForged
        ? generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey
        : privateKey
      const trigger = newTrigger(user, at, key)
      // It expires after 30 seconds; the time that a slow machine takes for the request does not count.
      if (!isForged && Date.now() - at < 30_000) triggers.add(trigger)
      return trigger
    },
    /** The address for replies to a command of a person. */
    responseUrl(user: string): string {
      const path = `/hooks/commands/${crypto.randomUUID()}`
      addresses.set(path, { user, at: Date.now(), used: 0 })
      return `http://127.0.0.1:${server.port}${path}`
    },
    /** The button of a post by the id that clients see. */
    actionOf: (post: MattermostPost, id: string) => actions.get(`${post.id} ${id}`)?.action,
    /** Deletes the ids of messages that it would recognize: half a minute has passed. */
    deletePendingIds: () => pending.clear(),
    /** Whether the bot is a system admin, who sees which addresses are verified. */
    setAdmin: (is: boolean) => {
      isAdmin = is
    },
    onMessage: onMessage.set,
    in: (channel: string) => posts.filter(({ channel_id }) => channel_id === channel),
    to: (person: string) => posts.filter(({ channel_id }) => channel_id === directOf(person)),
    reset() {
      for (const list of [posts, dialogs, replies, calls, faults]) list.length = 0
      failures.clear()
      isAdmin = false
    },
    stop: () => server.stop(true),
  }
}

export type MattermostServer = ReturnType<typeof startMattermost>
