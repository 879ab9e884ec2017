import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import type { DeliveredBlock } from '../../../integrations/kit/adapter.ts'
import { emptyTeam } from '../../../integrations/kit/dry-run.ts'
import type { ProviderApi } from '../../../integrations/kit/requests/provider-request.ts'
import type { Json, Received } from '../../../integrations/kit/requests/received.ts'
import { adapter } from '../../../integrations/slack/adapter.ts'
import { IngestPayload } from '../../../src/contract/blocks/ingest.ts'
import type { Language } from '../../../src/contract/vocabulary.ts'
import { noKeys } from '../adapters.ts'

const signingSecret = 'signing-secret-of-the-tests'
export const botToken = 'xoxb-token-of-the-tests'

/** The moment at which all tests happen unless they say otherwise. */
export const noon = new Date('2026-11-20T12:00:00Z')

/** How the stand-in for Slack behaves for one method. */
type Failure = 'refusing' | 'down' | 'limited' | 'stalled'

interface Call {
  method: string
  authorization: string | null
  fields: Record<string, string>
}

/** A local stand-in for Slack's Web API and its hooks. */
export function startSlack(people: Record<string, string> = {}) {
  const calls: Call[] = []
  const failures = new Map<string, Failure>()
  /** What methods answer, where that is not the same for all tests. */
  const replies = new Map<string, () => object | Response>()
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const method = new URL(request.url).pathname.replace(/^\/api\//, '')
      const text = await request.text()
      const fields: Record<string, string> = text.startsWith('{')
        ? { json: text }
        : Object.fromEntries(new URLSearchParams(text))
      calls.push({ method, authorization: request.headers.get('authorization'), fields })
      const failure = failures.get(method)
      if (failure) return answerIn(failure)
      const reply = replies.get(method)?.() ?? answerTo(method, fields, people)
      return reply instanceof Response ? reply : Response.json(reply)
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  return {
    calls,
    failures,
    answers: replies,
    apiUrl: `${origin}/api/`,
    responseUrl: `${origin}/hooks/answer`,
    callsOf: (method: string) => calls.filter((call) => call.method === method),
    /** Messages that came through the response address, oldest first. */
    followUps: () =>
      calls.filter(({ method }) => method === '/hooks/answer').map((call) => jsonOf(call, 'json')),
    stop: () => server.stop(true),
  }
}

export type FakeSlack = ReturnType<typeof startSlack>

function answerIn(failure: Failure): Response | Promise<Response> {
  if (failure === 'refusing') return Response.json({ ok: false, error: 'missing_scope' })
  if (failure === 'down') return new Response('upstream', { status: 503 })
  if (failure === 'limited')
    return new Response('', { status: 429, headers: { 'retry-after': '30' } })
  return new Promise(() => {})
}

function answerTo(method: string, fields: Record<string, string>, people: Record<string, string>) {
  if (method === 'chat.getPermalink') {
    const { channel, message_ts = '' } = fields
    const permalink = `https://acme.slack.com/archives/${channel}/p${message_ts.replace('.', '')}`
    return { ok: true, channel, permalink }
  }
  if (method !== 'users.info') return { ok: true }
  const { user = '' } = fields
  const display_name = people[user]
  if (display_name === undefined) return { ok: false, error: 'user_not_found' }
  return { ok: true, user: { profile: { display_name, email: 'private@example.test' } } }
}

/** A field of a call that contains JSON. */
export const jsonOf = (call: Call | undefined, field: string) =>
  JSON.parse(call?.fields[field] ?? '')

const formType = 'application/x-www-form-urlencoded'

/** A form body: an interaction goes into `payload`, as Slack sends it. */
export function formBody(fields: object) {
  const plain = 'command' in fields || 'ssl_check' in fields
  const sent = plain ? fields : { payload: JSON.stringify(fields) }
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(sent)) form.set(name, String(value))
  return form.toString()
}

export const sign = (
  body: string | Uint8Array,
  timestamp: number | string,
  secret = signingSecret,
) => `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`

/** What Slack sends: signed at noon unless `headers` say otherwise. */
export function signed(body: string, headers: Record<string, string> = {}) {
  const timestamp = headers['x-slack-request-timestamp'] ?? String(noon.getTime() / 1000)
  return {
    method: 'POST',
    url: new URL('https://tidings.test/hooks/slack/token'),
    body: new TextEncoder().encode(body),
    headers: new Headers({
      'content-type': formType,
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': sign(body, timestamp),
      ...headers,
    }),
  }
}

type SlackReceived = Awaited<ReturnType<typeof adapter.receive>>
type SlackEventReceived = Extract<SlackReceived, { kind: 'event' }>

/** Plays the host for one connection: what it stores goes through JSON, as it does in reality. */
export function connect(
  slack: Pick<FakeSlack, 'apiUrl'>,
  set: Record<string, unknown> = {},
  provider: ProviderApi = { fetch: (url, init) => fetch(url, init) },
  language: Language = 'en',
) {
  const settings = v.parse(adapter.settings, {
    signing_secret: signingSecret,
    bot_token: botToken,
    api_base_url: slack.apiUrl,
    ...set,
  })
  const events = [{ slug: 'summer-party', name: 'Summer party' }]
  const team = {
    ...emptyTeam,
    events: async (search: string) => events.filter(({ slug }) => slug.includes(search)),
  }
  const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value))
  const ephemeralContextOf = ({ ephemeralContext }: SlackEventReceived): Json =>
    stored(ephemeralContext ?? null)

  const receive = (request: ReturnType<typeof signed>, now = noon) =>
    adapter.receive(request, { settings, now, team, language, keys: noKeys, provider })

  const send = (fields: object) => receive(signed(formBody(fields)))

  const composed = (
    received: SlackEventReceived,
    now = noon,
    ephemeralContext = ephemeralContextOf(received),
  ) =>
    adapter.compose({
      event: stored(received.event),
      ephemeralContext,
      settings,
      provider,
      now,
      language: 'en',
    })

  /** The one block an event becomes, as ingest takes it. */
  const blockOf = async (received: SlackReceived, now = noon) => {
    const result = await composed(eventOf(received), now)
    if (result.kind !== 'items') throw new Error(`composed ${result.kind}`)
    const [item, ...more] = result.items
    if (more.length > 0) throw new Error('more than one item')
    return { item, block: v.parse(IngestPayload, item) }
  }

  /** Notifies the adapter that the block was created or withdrawn. */
  const notifyDelivered = async (received: SlackReceived, blocks: DeliveredBlock[], now = noon) => {
    const event = eventOf(received)
    const context = {
      event: stored(event.event),
      ephemeralContext: ephemeralContextOf(event),
      settings,
    }
    const webhookUrl = 'https://tidings.test/hooks/slack/token'
    await adapter.onDelivered?.({ ...context, provider, now, blocks, language: 'en', webhookUrl })
  }

  const runAfter = async (received: SlackReceived) => {
    if (received.kind !== 'immediateReply' || !received.after)
      throw new Error('nothing to run after')
    const followUp = await received.after(provider)
    if (followUp) await reply({ kind: 'event', ...followUp })
  }

  /** Runs what a job does for an event that the bot replies to. */
  const reply = async (received: SlackReceived, now = noon) => {
    const event = eventOf(received)
    const result = await composed(event, now)
    if (result.kind !== 'action' || result.action.type !== 'answer')
      throw new Error('the bot does not reply to it')
    const context = {
      event: stored(event.event),
      ephemeralContext: ephemeralContextOf(event),
      settings,
    }
    await adapter.onAction?.({
      ...context,
      provider,
      now,
      team,
      language: 'en',
      webhookUrl: 'https://tidings.test/hooks/slack/token',
      result: { outcome: 'answer', about: result.action.about },
    })
  }

  return { settings, receive, send, composed, blockOf, notifyDelivered, runAfter, reply }
}

export function eventOf<Event>(received: Received<Event>) {
  if (received.kind !== 'event') throw new Error(`received ${received.kind}`)
  return received
}

export const deliveredBlock = (externalId: string, created = true): DeliveredBlock => ({
  id: 'cb_1',
  title: 'We <shipped> v2 & more',
  url: 'https://news.acme.test/blocks/cb_1',
  created,
  externalId,
})
