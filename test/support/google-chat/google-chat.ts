import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, jwtVerify, SignJWT } from 'jose'
import { adapter } from '../../../integrations/google-chat/adapter.ts'
import { createConnection, webhookUrl } from '../../../src/features/connections/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import type { TestApp } from '../app.ts'
import { createListener } from '../chats/listener.ts'
import { createRateCheck } from '../rate-check.ts'
import { addOnEvent } from './google-add-on.ts'
import { replyFaults, requireGoogleCards } from './google-cards.ts'

/** A message, as the app has written it. */
export interface ChatMessage {
  name: string
  space: string
  text: string
  viewer: string | null
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the cards
  cardsV2: any[]
}

/** How the API fails. `lost`: it does what it is asked for, and its answer does not arrive. */
type Failure = 'limited' | 'down' | 'lost' | 'revoked'

const projectNumber = '123456789012'
const serviceAccount = 'tidings@lumen-news.iam.gserviceaccount.com'
const scope = 'https://www.googleapis.com/auth/chat.bot'

/** In a space: https://developers.google.com/workspace/chat/limits#per-space-quotas */
const writesPerMinute = { seconds: 60, max: 60 }
const hourSeconds = 3_600

/** A person of the organization; `isGone` for a deleted account. */
interface Person {
  name: string
  email?: string
  isGone?: boolean
}

/**
 * Google Chat on a local port: it issues access tokens, keeps messages, checks requests and answers as Google does.
 * The conversation of the app with `users/1` is `spaces/dm1`. Sources: the reference of the Google Chat API.
 */
export async function startGoogleChat(people: Record<string, Person>) {
  const account = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const google = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const messages: ChatMessage[] = []
  const calls: string[] = []
  const faults: unknown[] = []
  const tokens = new Set<string>()
  const failure: { kind: Failure | null } = { kind: null }
  const requestIds = new Map<string, ChatMessage>()
  const files = new Map<string, Uint8Array>()
  const onMessage = createListener()

  async function issueToken(form: URLSearchParams, audience: string): Promise<Response> {
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
      return Response.json({ error: 'unsupported_grant_type' }, { status: 400 })
    const options = { issuer: serviceAccount, audience, maxTokenAge: '1h', algorithms: ['RS256'] }
    const valid = await jwtVerify(form.get('assertion') ?? '', account.publicKey, options).catch(
      () => null,
    )
    const { exp = Number.POSITIVE_INFINITY, iat = 0 } = valid?.payload ?? {}
    if (exp - iat > hourSeconds) faults.push('an assertion for more than an hour')
    if (valid?.payload['scope'] !== scope)
      return Response.json({ error: 'invalid_grant' }, { status: 400 })
    const token = randomUUID()
    tokens.add(token)
    return Response.json({ access_token: token, expires_in: 3599, token_type: 'Bearer' })
  }

  const writing = createRateCheck([writesPerMinute])
  const countWrite = (space: string) => {
    const exceeded = writing.count(space)
    if (exceeded !== null) faults.push(exceeded)
  }

  /** Why a message is not created; null when it is. */
  function refusalOf(space: string, messageId: string, viewer: string | null): Response | null {
    if (!/^spaces\/(?:dm\w+|AAAA\w+)$/.test(space)) return notFound()
    if (!/^client-[a-z0-9-]{1,56}$/.test(messageId)) return refuse('messageId')
    if (viewer !== null && space.startsWith('spaces/dm')) return refuse('privateMessageViewer')
    return null
  }

  function create(space: string, query: URLSearchParams, body: Record<string, unknown>): Response {
    countWrite(space)
    const messageId = query.get('messageId') ?? ''
    const requestId = query.get('requestId') ?? ''
    const viewer = Object(body['privateMessageViewer']).name ?? null
    const refusal = refusalOf(space, messageId, viewer)
    if (refusal) return refusal
    const known = requestIds.get(requestId)
    if (known) return Response.json({ name: known.name })
    const name = `${space}/messages/${messageId}`
    if (messages.some((one) => one.name === name))
      return Response.json({ error: { status: 'ALREADY_EXISTS' } }, { status: 409 })
    const message = { name, space, viewer, ...contentOf(body) }
    messages.push(message)
    requestIds.set(requestId, message)
    onMessage.start()
    return Response.json({ name: `${space}/messages/${messages.length}.system` })
  }

  function contentOf(body: Record<string, unknown>) {
    const text = String(body['text'] ?? '')
    const cardsV2 = Array.isArray(body['cardsV2']) ? body['cardsV2'] : []
    try {
      requireGoogleCards(cardsV2)
      if (Buffer.byteLength(JSON.stringify(body)) > 32_000) throw new Error('over 32,000 bytes')
      if (text === '' && cardsV2.length === 0) throw new Error('a message without content')
    } catch (error) {
      faults.push(error)
    }
    return { text, cardsV2 }
  }

  function patch(name: string, query: URLSearchParams, body: Record<string, unknown>): Response {
    const message = messages.find((one) => one.name === name)
    if (!message) return notFound()
    countWrite(message.space)
    const fields = (query.get('updateMask') ?? '').split(',')
    if (!fields.every((field) => ['text', 'cardsV2'].includes(field))) return refuse('updateMask')
    const { text, cardsV2 } = contentOf(body)
    Object.assign(message, fields.includes('text') ? { text, cardsV2 } : { cardsV2 })
    return Response.json({ name })
  }

  function member(id: string): Response {
    const person = people[`users/${id}`]
    if (!person) return notFound()
    const { name, isGone } = person
    const shown = isGone ? { isAnonymous: true } : { displayName: name, type: 'HUMAN' }
    return Response.json({ state: 'JOINED', member: { name: `users/${id}`, ...shown } })
  }

  function findDirect(query: URLSearchParams): Response {
    const user = query.get('name') ?? ''
    const name = `spaces/dm${user.replace('users/', '')}`
    return people[user] ? Response.json({ name }) : notFound()
  }

  function download(name: string, query: URLSearchParams): Response {
    const file = files.get(decodeURIComponent(name))
    return file && query.get('alt') === 'media' ? new Response(Buffer.from(file)) : notFound()
  }

  const read = (name: string) =>
    messages.some((one) => one.name === name) ? Response.json({ name }) : notFound()

  /** What a method of the API does, by the beginning of its request. */
  const methods: [RegExp, (match: string[], query: URLSearchParams, body: object) => Response][] = [
    [/^GET spaces:findDirectMessage$/, (_, query) => findDirect(query)],
    [/^GET media\/(.+)$/, ([, name = ''], query) => download(name, query)],
    [/^GET spaces\/\w+\/members\/(\d+)$/, ([, id = '']) => member(id)],
    [
      /^POST (spaces\/\w+)\/messages$/,
      ([, space = ''], query, body) => create(space, query, { ...body }),
    ],
    [
      /^PATCH (spaces\/\w+\/messages\/[\w-]+)$/,
      ([, name = ''], query, body) => patch(name, query, { ...body }),
    ],
    [/^GET (spaces\/\w+\/messages\/[\w-]+)$/, ([, name = '']) => read(name)],
  ]

  function reply(call: string, query: URLSearchParams, body: object): Response {
    for (const [pattern, method] of methods) {
      const match = pattern.exec(call)
      if (match) return method(match, query, body)
    }
    return notFound()
  }

  const failures = { limited: 429, down: 503, revoked: 401 }

  async function respond(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    const call = `${request.method} ${pathname.slice(1)}`
    calls.push(call)
    const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (!tokens.has(bearer)) return new Response('', { status: 401 })
    const { kind } = failure
    if (kind !== null && kind !== 'lost') return new Response('', { status: failures[kind] })
    const text = await request.text()
    const answered = reply(call, searchParams, text === '' ? {} : JSON.parse(text))
    await onMessage.end()
    // Its kind can have changed since.
    return failure.kind === 'lost' ? new Response('', { status: 502 }) : answered
  }

  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    routes: {
      '/keys': async () => {
        const jwk = { ...(await exportJWK(google.publicKey)), kid: 'google', alg: 'RS256' }
        return Response.json({ keys: [jwk] })
      },
      '/token': async (request) =>
        await issueToken(new URLSearchParams(await request.text()), request.url),
    },
    fetch: respond,
  })

  return {
    messages,
    calls,
    faults,
    failure,
    files,
    people,
    apiUrl: `http://127.0.0.1:${server.port}/`,
    privateKey: account.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    /** The token that Google adds to a request to the app. */
    token: (audience = projectNumber) =>
      new SignJWT()
        .setProtectedHeader({ alg: 'RS256', kid: 'google' })
        .setIssuer('chat@system.gserviceaccount.com')
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(google.privateKey),
    /** The token that Google adds to a request to the add-on of the project. */
    addOnToken: (audience: string) =>
      new SignJWT({
        email: `service-${projectNumber}@gcp-sa-gsuiteaddons.iam.gserviceaccount.com`,
        email_verified: true,
      })
        .setProtectedHeader({ alg: 'RS256', kid: 'google' })
        .setIssuer('https://accounts.google.com')
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(google.privateKey),
    forgetTokens: () => tokens.clear(),
    onMessage: onMessage.set,
    in: (space: string) => messages.filter((message) => message.space === space),
    reset() {
      for (const list of [messages, calls, faults]) list.length = 0
      requestIds.clear()
      writing.reset()
      failure.kind = null
      onMessage.reset()
    },
    stop: () => server.stop(true),
  }
}

export type GoogleChat = Awaited<ReturnType<typeof startGoogleChat>>

const notFound = () => Response.json({ error: { status: 'NOT_FOUND' } }, { status: 404 })
const refuse = (field: string) => Response.json({ error: { message: field } }, { status: 400 })

let events = 0

/**
 * A team with the app in its Google Chat, and the events that Google sends for it; `isAddOn` for an app that is built as
 * a Google Workspace add-on.
 */
export async function connectGoogleChat(
  app: TestApp,
  google: GoogleChat,
  given: Record<string, unknown> = {},
  isAddOn = false,
) {
  const team = await app.team()
  const { id, webhookToken } = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given: {
      project_number: projectNumber,
      service_account: serviceAccount,
      private_key: google.privateKey,
      email_domains: 'lumen.example',
      api_base_url: google.apiUrl,
      quiet_hours: 'none',
      ...given,
    },
  })
  const url = webhookUrl(app.base, 'google-chat', webhookToken)
  // As the service knows it.
  const address = webhookUrl('http://tidings.test', 'google-chat', webhookToken)

  async function event(user: string, fields: object): Promise<Response> {
    const { name: displayName, email } = google.people[user] ?? { name: user }
    const person = { name: user, displayName, type: 'HUMAN', ...(email && { email }) }
    const eventTime = new Date(Date.now() + events++).toISOString()
    const space = { name: 'spaces/AAAAwins', type: 'ROOM', spaceType: 'SPACE' }
    const sent: Record<string, unknown> = { eventTime, space, ...fields, user: person }
    const token = isAddOn ? google.addOnToken(address) : google.token()
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token}` },
      body: JSON.stringify(isAddOn ? addOnEvent(sent) : sent),
    })
    if (response.ok && !isAddOn)
      google.faults.push(
        ...replyFaults(await response.clone().json(), sent['isDialogEvent'] === true),
      )
    return response
  }

  return {
    team,
    connectionId: id,
    url,
    address,
    event,
    /** A message of a person to the app, such as a slash command. */
    say: (user: string, text: string, more: object = {}) => {
      const name = `spaces/AAAAwins/messages/${events}.${randomUUID()}`
      const sender = { name: user, displayName: google.people[user]?.name ?? '', type: 'HUMAN' }
      return event(user, { type: 'MESSAGE', message: { name, text, sender, ...more } })
    },
    /** A person uses a button of a message; `form` are the fields of the dialog that contains it. */
    press: (
      user: string,
      button: { function: string; parameters: { key: string; value: string }[] },
      {
        at,
        form,
        dialog,
      }: { at?: ChatMessage; form?: Record<string, string>; dialog?: 'REQUEST' | 'SUBMIT' } = {},
    ) =>
      event(user, {
        type: 'CARD_CLICKED',
        ...(at && { message: { name: at.name }, space: { name: at.space, spaceType: 'SPACE' } }),
        ...(dialog && { isDialogEvent: true, dialogEventType: `${dialog}_DIALOG` }),
        common: {
          invokedFunction: button.function,
          parameters: Object.fromEntries(button.parameters.map(({ key, value }) => [key, value])),
          formInputs: Object.fromEntries(
            Object.entries(form ?? {}).map(([key, value]) => [
              key,
              { stringInputs: { value: [value] } },
            ]),
          ),
        },
      }),
  }
}

/** The action of the button with a function in a card, a message or a dialog. */
export function actionIn(where: unknown, name: string) {
  const found: { function: string; parameters: { key: string; value: string }[] }[] = []
  JSON.stringify(where, (key, value) => {
    if (key === 'action' && calls(value, name)) found.push(value)
    return value
  })
  const [action] = found
  if (!action) throw new Error(`there is no button ${name}`)
  return action
}

/** Whether an action has a function: an add-on has its name in a parameter. */
function calls(action: unknown, name: string): boolean {
  const { function: called, parameters } = Object(action)
  return called === name || JSON.stringify(parameters)?.includes(`"function","value":"${name}"`)
}
