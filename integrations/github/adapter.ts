import { verifyWithFallback } from '@octokit/webhooks-methods'
import * as v from 'valibot'
import { defineAdapter, secret } from '../kit/adapter.ts'
import { composeUnlessExcluded, repositorySettings } from '../kit/filters.ts'
import type { Received } from '../kit/requests/received.ts'
import { repositoryOf } from '../kit/requests/request-source.ts'
import {
  badRequest,
  ignoredOrUnknown,
  jsonOf,
  readObject,
  receiveEvent,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { eventNames, GitHubEvent } from './event.ts'
import { composeEvent, ignoreReason, settingReason } from './news.ts'

const Settings = v.object({
  secret: secret({ own: true }),
  ...repositorySettings(),
})

export const adapter = defineAdapter({
  slug: 'github',
  name: 'GitHub',
  category: 'tracker',
  settings: Settings,
  events: ['release.published', 'release.released', 'release.edited', 'milestone.closed', 'public'],
  groups: true,
  sourceOf: repositoryOf,

  async receive(request, { settings }): Promise<Received<GitHubEvent>> {
    const text = strictUtf8(request.body)
    const signature = request.headers.get('x-hub-signature-256')
    if (!text || !signature || !(await isFromGitHub(text, signature, settings.secret)))
      return unauthorized

    const deliveryId = request.headers.get('x-github-delivery')
    const eventName = request.headers.get('x-github-event')
    if (!deliveryId || !eventName) return badRequest('X-GitHub-Delivery or X-GitHub-Event missing')

    const payload = readObject(jsonOf(text, request.headers.get('content-type')))
    if (payload === undefined) return badRequest('the body is not a JSON object')

    switch (eventName) {
      case 'ping':
        return { kind: 'immediateReply', reply: { status: 200, body: { ok: true } } }
      case 'release':
      case 'milestone':
      case 'public':
        return receiveEvent({
          schema: GitHubEvent,
          payload: { ...payload, kind: eventName },
          name: eventName,
          fullName: (event) => ('action' in event ? `${event.kind}.${event.action}` : event.kind),
          deliveryId,
          provider: 'GitHub',
          ignoreReason,
          settingReason: (event) => settingReason(event, settings),
        })
      default:
        return ignoredOrUnknown(eventName, eventNames, deliveryId)
    }
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, settings, language }) {
    return composeUnlessExcluded(settingReason(event, settings), () =>
      composeEvent(event, language),
    )
  },
})

/** https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries */
async function isFromGitHub(body: string, signature: string, secrets: string[]): Promise<boolean> {
  const [current, ...others] = secrets
  return current !== undefined && verifyWithFallback(current, body, signature, others)
}
