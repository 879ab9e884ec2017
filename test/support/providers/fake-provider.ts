import { createHmac, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import {
  type DeliveredBlock,
  defineAdapter,
  list,
  secret,
} from '../../../integrations/kit/adapter.ts'
import type { Composed } from '../../../integrations/kit/composed.ts'
import { responseError } from '../../../integrations/kit/provider-error.ts'
import type { Received } from '../../../integrations/kit/requests/received.ts'
import {
  type Connection,
  createConnection,
  findDecryptedConnection,
  webhookUrl,
} from '../../../src/features/connections/index.ts'
import { type Delivery, listDeliveries } from '../../../src/features/deliveries/index.ts'
import type { Team } from '../../../src/features/teams/index.ts'
import { systemContext } from '../../../src/lib/context.ts'
import { readContext, type TestApp } from '../app.ts'
import { until } from '../until.ts'

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
  calendarEvent: v.exactOptional(
    v.object({ slug: v.string(), name: v.string(), date: v.string() }),
  ),
})
const Event = v.object({
  items: v.optional(v.array(Item), []),
  /** The items update earlier items with the same external id. */
  updateExisting: v.exactOptional(v.literal(true)),
  /** Updates of earlier items. */
  update: v.exactOptional(v.array(Item)),
  /** The time of the event. */
  sourceUpdatedAt: v.exactOptional(v.string()),
  withdraw: v.optional(v.array(v.string())),
  /** Events that end with what is withdrawn. */
  eventSlugs: v.exactOptional(v.array(v.string())),
  /** A path of the provider's API that composing needs. */
  readBack: v.optional(v.string()),
})
type Event = v.InferOutput<typeof Event>

/** The body of a webhook request of the fake provider. */
interface Payload extends v.InferInput<typeof Event> {
  id: string
  kind: 'news' | 'ignored' | 'handshake' | 'unknown'
  /** The second part of the name of the event. */
  topic?: string
  /** What only the reply needs, such as the address that it is sent to. */
  replyTo?: string
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
  replyTo: unknown
  blocks: DeliveredBlock[]
  failed?: string
}

/** A `replyTo` at which every reply fails, and one at which the first two do. */
export const failsAlways = 'https://fake.example/fails-always'
export const failsTwice = 'https://fake.example/fails-twice'

/** An adapter for a provider that does not exist, and the notifications that it received. */
export function createFakeAdapter() {
  const notifications: Notification[] = []
  const adapter = defineAdapter<typeof Settings, Event>({
    slug: 'fake-provider',
    name: 'Fake provider',
    category: 'chat',
    settings: Settings,
    events: ['news.release', 'news.hire'],
    groups: true,
    receive: async ({ headers, body }, { settings }) =>
      settings.secret.some((key) => isEqual(sign(key, body), headers.get('x-signature') ?? ''))
        ? receive(JSON.parse(Buffer.from(body).toString()))
        : { kind: 'rejected', status: 401, reason: 'the signature is wrong' },
    async compose({ event, settings, provider }) {
      const { withdraw: externalIds, eventSlugs = [] } = event
      if (externalIds) return { kind: 'withdraw', externalIds, eventSlugs }
      if (event.readBack) {
        const response = await provider.fetch(`${settings.api}${event.readBack}`)
        if (!response.ok) throw responseError(response, { name: 'Fake provider', check: 'token' })
      }
      return composedFrom(event)
    },
    async onDelivered({ ephemeralContext, blocks }) {
      notifications.push({ replyTo: ephemeralContext, blocks })
      if (ephemeralContext === failsAlways) throw new Error('the reply was refused')
      const attempts = notifications.filter(({ replyTo }) => replyTo === failsTwice).length
      if (ephemeralContext === failsTwice && attempts < 3) throw new Error('the reply was refused')
    },
    async onFailed({ ephemeralContext, reason }) {
      notifications.push({ replyTo: ephemeralContext, blocks: [], failed: reason })
    },
  })
  return { adapter, notifications }
}

const isEqual = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

function composedFrom({ items, updateExisting, update, sourceUpdatedAt }: Event): Composed {
  const when = { ...(sourceUpdatedAt !== undefined && { sourceUpdatedAt }) }
  if (update) return { kind: 'update', items: update, ...when }
  if (items.length === 0) return { kind: 'ignored', reason: 'nothing in it' }
  return { kind: 'items', items, ...(updateExisting && { updateExisting }), ...when }
}

function receive(payload: Payload): Received<Event> {
  switch (payload.kind) {
    case 'news':
      return {
        kind: 'event',
        deliveryId: payload.id,
        eventName: `news.${payload.topic ?? 'release'}`,
        event: v.parse(Event, payload),
        ...(payload.replyTo && { ephemeralContext: payload.replyTo }),
      }
    case 'handshake':
      return {
        kind: 'immediateReply',
        reply: { body: 'welcome' },
        providerSettings: { workspace: payload.id },
      }
    case 'ignored':
      return { kind: 'ignored', deliveryId: payload.id, reason: 'it creates no block' }
    default:
      return { kind: 'unknown', eventName: payload.kind }
  }
}

/** The secret of the connections of `connectFakeProvider`. */
export const fakeSecret = 'a-secret-of-both-sides'

/** A connection to the fake provider, and what a test does with one. */
export async function connectFakeProvider(
  app: TestApp,
  team: Team,
  settings: Record<string, unknown> = {},
): Promise<FakeConnection> {
  const { adapter } = createFakeAdapter()
  const given = { secret: fakeSecret, ...settings }
  const connection = await createConnection(systemContext(app.forwarder, team.id), {
    adapter,
    given,
  })
  const url = webhookUrl(app.base, adapter.slug, connection.webhookToken)
  const post = (body: string, signature = sign(fakeSecret, body)) =>
    fetch(url, { method: 'POST', body, headers: { 'x-signature': signature } })
  return {
    connection,
    url,
    post,
    send: (payload) => post(JSON.stringify({ kind: 'news', ...payload })),
    deliveries: () =>
      listDeliveries(readContext(app, team), { connectionId: connection.id, limit: 100 }),
    async settled(count) {
      return await until(async () => {
        const deliveries = await listDeliveries(readContext(app, team), {
          connectionId: connection.id,
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

export interface FakeConnection {
  connection: Connection
  url: string
  /** Sends a body as it is, with a valid signature unless it is passed. */
  post(body: string, signature?: string): Promise<Response>
  send(payload: Omit<Payload, 'kind'> & Partial<Pick<Payload, 'kind'>>): Promise<Response>
  deliveries(): Promise<Delivery[]>
  /** The deliveries, oldest first, once `count` of them are over. */
  settled(count: number): Promise<Delivery[]>
  /** All settings as the adapter gets them. */
  settings(): Promise<Record<string, unknown> | undefined>
}
