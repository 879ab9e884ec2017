import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { type DeliveredBlock, defineAdapter, list, secret } from '../../integrations/kit/adapter.ts'
import type { Composed } from '../../integrations/kit/composed.ts'
import { responseError } from '../../integrations/kit/provider-error.ts'
import type { Received } from '../../integrations/kit/received.ts'
import {
  type Connection,
  createConnection,
  findDecryptedConnection,
  webhookUrl,
} from '../../src/features/connections/index.ts'
import { type Delivery, listDeliveries } from '../../src/features/deliveries/index.ts'
import type { Team } from '../../src/features/teams/index.ts'
import { systemContext } from '../../src/lib/context.ts'

import { readContext, type TestApp } from './app.ts'

const Item = v.object({
  title: v.string(),
  body: v.optional(v.string(), 'We made it, thanks to everybody.'),
  external_id: v.exactOptional(v.string()),
  block_type: v.exactOptional(v.picklist(['general', 'new_starter'])),
  auto_ready: v.exactOptional(v.boolean()),
  publish_after: v.exactOptional(v.string()),
  source_url: v.exactOptional(v.string()),
  author: v.exactOptional(v.string()),
  group: v.exactOptional(
    v.object({ key: v.string(), name: v.string(), onRequest: v.exactOptional(v.literal(true)) }),
  ),
})
const Event = v.object({
  items: v.optional(v.array(Item), []),
  /** The items replace earlier items with the same external id. */
  replace: v.exactOptional(v.literal(true)),
  /** Updates of earlier items. */
  revise: v.exactOptional(v.array(Item)),
  /** The time of the event. */
  asOf: v.exactOptional(v.string()),
  withdraw: v.optional(v.array(v.string())),
  /** A path of the provider's API that composing needs. */
  readBack: v.optional(v.string()),
})
type Event = v.InferOutput<typeof Event>

/** What the made-up provider posts. */
interface Notice extends v.InferInput<typeof Event> {
  id: string
  kind: 'news' | 'noise' | 'hello' | 'gossip'
  /** What the bulletin calls it. */
  topic?: string
  /** What only the answer needs, such as an address to answer to. */
  answerTo?: string
}

const Settings = v.object({
  secret: secret(),
  token: v.optional(secret()),
  workspace: v.optional(v.string()),
  channels: list(),
  api: v.optional(v.string()),
})

export const sign = (key: string, body: string | Uint8Array) =>
  createHmac('sha256', key).update(body).digest('hex')

/** What an adapter was notified of: the blocks of a delivery, or why it failed. */
interface Notification {
  answerTo: unknown
  blocks: DeliveredBlock[]
  failed?: string
}

/** An adapter for a provider that does not exist, and the notifications that it received. */
export function bulletinAdapter() {
  const notifications: Notification[] = []
  const adapter = defineAdapter<typeof Settings, Event>({
    slug: 'bulletin',
    name: 'Bulletin',
    category: 'chat',
    settings: Settings,
    events: ['news.release', 'news.hire'],
    groups: true,
    receive: async ({ headers, body }, { settings }) =>
      settings.secret.some((key) => same(sign(key, body), headers.get('x-signature') ?? ''))
        ? read(JSON.parse(Buffer.from(body).toString()))
        : { kind: 'rejected', status: 401, reason: 'the signature is wrong' },
    async compose({ event, settings, provider }) {
      if (event.withdraw) return { kind: 'withdraw', externalIds: event.withdraw }
      if (event.readBack) {
        const response = await provider.fetch(`${settings.api}${event.readBack}`)
        if (!response.ok) throw responseError(response, { name: 'Bulletin', check: 'token' })
      }
      return newsIn(event)
    },
    async onDelivered({ ephemeralContext, blocks }) {
      notifications.push({ answerTo: ephemeralContext, blocks })
      if (ephemeralContext === 'gone') throw new Error('nobody answers there')
      const isShy =
        ephemeralContext === 'shy' &&
        notifications.filter((one) => one.answerTo === 'shy').length < 3
      if (isShy) throw new Error('not at home')
    },
    async onFailed({ ephemeralContext, reason }) {
      notifications.push({ answerTo: ephemeralContext, blocks: [], failed: reason })
    },
  })
  return { adapter, notifications }
}

const same = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

function newsIn({ items, replace, revise, asOf }: Event): Composed {
  const when = { ...(asOf !== undefined && { asOf }) }
  if (revise) return { kind: 'revise', items: revise, ...when }
  if (items.length === 0) return { kind: 'ignored', reason: 'nothing in it' }
  return { kind: 'items', items, ...(replace && { replace }), ...when }
}

function read(notice: Notice): Received<Event> {
  switch (notice.kind) {
    case 'news':
      return {
        kind: 'event',
        deliveryId: notice.id,
        eventName: `news.${notice.topic ?? 'release'}`,
        event: v.parse(Event, notice),
        ...(notice.answerTo && { ephemeralContext: notice.answerTo }),
      }
    case 'hello':
      return {
        kind: 'immediateReply',
        reply: { body: 'welcome' },
        providerSettings: { workspace: notice.id },
      }
    case 'noise':
      return { kind: 'ignored', deliveryId: notice.id, reason: 'noise creates no block' }
    default:
      return { kind: 'unknown', eventName: notice.kind }
  }
}

const bulletinSecret = 'a-secret-between-two'

/** A connection to the made-up provider, and what a test does with one. */
export async function bulletin(
  app: TestApp,
  team: Team,
  settings: Record<string, unknown> = {},
): Promise<Bulletin> {
  const { adapter } = bulletinAdapter()
  const given = { secret: bulletinSecret, ...settings }
  const connection = await createConnection(systemContext(app.forwarder, team.id), {
    kind: adapter,
    given,
  })
  const url = webhookUrl(app.base, adapter.slug, connection.webhookToken)
  const post = (body: string, signature = sign(bulletinSecret, body)) =>
    fetch(url, { method: 'POST', body, headers: { 'x-signature': signature } })
  return {
    connection,
    url,
    post,
    send: (notice) => post(JSON.stringify({ kind: 'news', ...notice })),
    deliveries: () => listDeliveries(readContext(app, team), connection.id, { limit: 100 }),
    async settled(count) {
      return await until(async () => {
        const deliveries = await listDeliveries(readContext(app, team), connection.id, {
          limit: 100,
        })
        const done = deliveries.filter(({ status }) => status !== 'waiting')
        return done.length >= count ? deliveries.reverse() : null
      })
    },
    async settings() {
      return (await findDecryptedConnection(app.forwarder, team.id, connection.id))?.given
    },
  }
}

export interface Bulletin {
  connection: Connection
  url: string
  /** Sends a body as it is, with a valid signature unless it is passed. */
  post(body: string, signature?: string): Promise<Response>
  send(notice: Omit<Notice, 'kind'> & Partial<Pick<Notice, 'kind'>>): Promise<Response>
  deliveries(): Promise<Delivery[]>
  /** The deliveries, oldest first, once `count` of them are over. */
  settled(count: number): Promise<Delivery[]>
  /** All settings as the adapter gets them. */
  settings(): Promise<Record<string, unknown> | undefined>
}

/**
 * Asks again and again until there is an answer. Throws when there is none within a time that is less
 * than `bun test` gives a test, so that the error is this one.
 */
export async function until<T>(
  ask: () => Promise<T | null | undefined | false>,
  seconds = 240,
): Promise<T> {
  const start = performance.now()
  for (let waitedMs = 0; waitedMs < seconds * 1000; waitedMs = performance.now() - start) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    // Without pauses, asking would take the CPU time that the awaited work needs.
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(10, waitedMs / 10), 250)))
  }
  throw new Error('what the test waits for did not come about')
}
