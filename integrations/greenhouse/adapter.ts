import * as v from 'valibot'
import { defineAdapter, type Received, secret } from '../adapter.ts'
import { isHmac, strictUtf8 } from '../signature.ts'
import { type GreenhouseEvent, Hire, otherActions, Withdrawal } from './event.ts'
import { compose, whyIgnored } from './news.ts'

const Settings = v.object({ secret: secret() })

export const adapter = defineAdapter({
  slug: 'greenhouse',
  name: 'Greenhouse',
  category: 'hr',
  settings: Settings,

  async receive({ headers, body }, { settings }): Promise<Received<GreenhouseEvent>> {
    const text = strictUtf8(body)
    const signature = signatureIn(headers)
    if (!text || !isHmac(signature, body, settings.secret))
      return { kind: 'rejected', status: 401, reason: 'signature missing or wrong' }
    const request = readRequest(text)
    if (request === undefined) return notReadable('the body is not JSON with an action')
    // A request without its id is told from others by its signature, which is made of its body.
    const deliveryId = headers.get('greenhouse-event-id') || signature
    return pick(request, deliveryId)
  },

  /** Pure: all there is to tell came with the event. */
  async compose({ event }) {
    return compose(event)
  },
})

/** https://developers.greenhouse.io/webhooks.html#authentication */
const signatureIn = (headers: Headers) =>
  /^sha256 ([0-9a-f]{64})$/.exec(headers.get('signature') ?? '')?.[1] ?? ''

const notReadable = (reason: string) => ({ kind: 'rejected', status: 400, reason }) as const

const Request = v.object({
  action: v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/)),
  payload: v.unknown(),
})
type Request = v.InferOutput<typeof Request>

function readRequest(text: string): Request | undefined {
  try {
    const { success, output } = v.safeParse(Request, JSON.parse(text))
    return success ? output : undefined
  } catch {
    return undefined
  }
}

function pick({ action, payload }: Request, deliveryId: string): Received<GreenhouseEvent> {
  switch (action) {
    case 'ping':
      return { kind: 'handshake', reply: { status: 200, body: { ok: true } } }
    case 'hire_candidate':
      return pickHire(action, payload, deliveryId)
    case 'unhire_candidate':
    case 'delete_application':
    case 'delete_candidate':
      return pickWithdrawal(action, payload, deliveryId)
    default:
      return otherActions.has(action)
        ? { kind: 'ignored', deliveryId, reason: `${action}: not news` }
        : { kind: 'unknown', eventName: action }
  }
}

function pickHire(action: string, payload: unknown, deliveryId: string): Received<GreenhouseEvent> {
  const { success, output: hire, issues } = v.safeParse(Hire, payload)
  if (!success) return notAsDocumented(action, issues[0])
  const reason = whyIgnored(hire)
  return reason === undefined
    ? { kind: 'event', deliveryId, event: { kind: 'hired', ...hire } }
    : { kind: 'ignored', deliveryId, reason: `${action}: ${reason}` }
}

function pickWithdrawal(
  action: string,
  payload: unknown,
  deliveryId: string,
): Received<GreenhouseEvent> {
  const { success, output: applications, issues } = v.safeParse(Withdrawal, payload)
  if (!success) return notAsDocumented(action, issues[0])
  return applications.length > 0
    ? { kind: 'event', deliveryId, event: { kind: 'withdrawn', applications } }
    : { kind: 'ignored', deliveryId, reason: `${action}: no application went with it` }
}

const notAsDocumented = (action: string, issue: v.BaseIssue<unknown>) =>
  notReadable(
    `${action}: ${v.getDotPath(issue) ?? 'the payload'} is not as Greenhouse documents it`,
  )
