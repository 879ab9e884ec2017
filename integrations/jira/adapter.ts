import * as v from 'valibot'
import { defineAdapter, list, secret } from '../kit/adapter.ts'
import { composeUnlessExcluded } from '../kit/filters.ts'
import type { Received } from '../kit/requests/received.ts'
import { isHubSignature } from '../kit/requests/signature.ts'
import {
  badRequest,
  deliveryIdOf,
  ignoredOrUnknown,
  readObject,
  receiveEvent,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { eventNames, JiraEvent } from './event.ts'
import { composeItem, ignoreReason, settingReason } from './news.ts'

const Settings = v.object({
  secret: secret({ own: true }),
  /** The name of the product, which Jira does not send. It precedes the name of the version. */
  label: v.optional(v.pipe(v.string(), v.trim(), v.nonEmpty('must not be empty'))),
  /** Issues with one of these labels become items when they are resolved; none when empty. */
  issue_labels: list(),
  /** Only these projects, by id; all of them when empty. */
  projects: v.pipe(
    list(),
    v.array(v.pipe(v.string(), v.regex(/^\d+$/, 'must be ids of projects such as 10002'))),
  ),
})

export const adapter = defineAdapter({
  slug: 'jira',
  name: 'Jira',
  category: 'tracker',
  settings: Settings,
  events: ['jira:version_released', 'jira:issue_updated'],

  async receive({ headers, body }, { settings }): Promise<Received<JiraEvent>> {
    if (!isHubSignature(headers.get('x-hub-signature'), body, settings.secret)) return unauthorized

    const payload = readObject(strictUtf8(body) ?? '')
    if (payload === undefined) return badRequest('the body is not a JSON object')
    const named = v.safeParse(Named, payload)
    if (!named.success) return badRequest('webhookEvent is missing or is not a name')

    const name = named.output.webhookEvent
    const deliveryId = deliveryIdOf(headers, ['x-atlassian-webhook-identifier'], body)
    if (name !== 'jira:version_released' && name !== 'jira:issue_updated')
      return ignoredOrUnknown(name, eventNames, deliveryId)
    return receiveEvent({
      schema: JiraEvent,
      payload,
      name,
      deliveryId,
      provider: 'Jira',
      ignoreReason,
      settingReason: (event) => settingReason(event, settings),
    })
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, settings, language }) {
    return composeUnlessExcluded(settingReason(event, settings), () => ({
      kind: 'items',
      items: [composeItem(event, settings, language)],
    }))
  },
})

const Named = v.object({ webhookEvent: v.pipe(v.string(), v.regex(/^[\w:-]{1,80}$/)) })
