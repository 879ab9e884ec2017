import { verifyWithFallback } from '@octokit/webhooks-methods'
import * as v from 'valibot'
import { defineAdapter, flag, list, type Received, secret } from '../adapter.ts'
import { strictUtf8 } from '../signature.ts'
import { eventNames, GitHubEvent } from './event.ts'
import { composeItem, whyIgnored } from './news.ts'

const Settings = v.object({
  secret: secret(),
  allow_private: flag(),
  /** Only these repositories; all of them when empty. */
  repositories: v.pipe(
    list(),
    v.array(
      v.pipe(
        v.string(),
        v.toLowerCase(),
        v.regex(/^[\w.-]+\/(?:[\w.-]+|\*)$/, 'must be full names such as acme/web or acme/*'),
      ),
    ),
  ),
})

export const adapter = defineAdapter({
  slug: 'github',
  name: 'GitHub',
  category: 'tracker',
  settings: Settings,

  async receive(request, { settings }): Promise<Received<GitHubEvent>> {
    const text = strictUtf8(request.body)
    const signature = request.headers.get('x-hub-signature-256')
    if (!text || !signature || !(await isFromGitHub(text, signature, settings.secret)))
      return { kind: 'rejected', status: 401, reason: 'signature missing or wrong' }

    const deliveryId = request.headers.get('x-github-delivery')
    const eventName = request.headers.get('x-github-event')
    if (!deliveryId || !eventName) return notReadable('X-GitHub-Delivery or X-GitHub-Event missing')

    const payload = readPayload(text, request.headers.get('content-type') ?? '')
    if (payload === undefined) return notReadable('the body is not a JSON object')

    switch (eventName) {
      case 'ping':
        return { kind: 'handshake', reply: { status: 200, body: { ok: true } } }
      case 'release':
      case 'milestone':
      case 'public':
        return pick(eventName, payload, deliveryId, settings)
      default:
        return eventNames.has(eventName)
          ? { kind: 'ignored', deliveryId, reason: `${eventName}: not news` }
          : { kind: 'unknown', eventName }
    }
  },

  /** Pure: all there is to tell came with the event. */
  async compose({ event }) {
    return { kind: 'items', items: [composeItem(event)] }
  },
})

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
async function isFromGitHub(body: string, signature: string, secrets: string[]): Promise<boolean> {
  const [current, ...others] = secrets
  return current !== undefined && verifyWithFallback(current, body, signature, others)
}

const notReadable = (reason: string) => ({ kind: 'rejected', status: 400, reason }) as const

/** GitHub sends JSON, or the same JSON in a form field when the webhook was set up so. */
function readPayload(text: string, contentType: string): object | undefined {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType)
  const json = isForm ? new URLSearchParams(text).get('payload') : text
  try {
    const payload: unknown = JSON.parse(json ?? '')
    return typeof payload === 'object' && payload !== null ? payload : undefined
  } catch {
    return undefined
  }
}

function pick(
  kind: GitHubEvent['kind'],
  payload: object,
  deliveryId: string,
  settings: v.InferOutput<typeof Settings>,
): Received<GitHubEvent> {
  const { success, output: event, issues } = v.safeParse(GitHubEvent, { ...payload, kind })
  if (!success)
    return notReadable(`${kind}: ${v.getDotPath(issues[0])} is not as GitHub documents it`)
  const reason = whyIgnored(event, settings)
  return reason === undefined
    ? { kind: 'event', deliveryId, event }
    : { kind: 'ignored', deliveryId, reason: `${kind}: ${reason}` }
}
