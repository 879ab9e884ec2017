import * as v from 'valibot'
import { defineAdapter, secret } from '../kit/adapter.ts'
import { composeUnlessExcluded, repositorySettings } from '../kit/filters.ts'
import type { Received } from '../kit/requests/received.ts'
import { repositoryOf } from '../kit/requests/request-source.ts'
import { isHmac } from '../kit/requests/signature.ts'
import {
  badRequest,
  deliveryIdOf,
  ignoredOrUnknown,
  jsonOf,
  readObject,
  receiveEvent,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { eventNames, ReleaseEvent } from './event.ts'
import { composeEvent, ignoreReason, settingReason } from './news.ts'

const Settings = v.object({
  secret: secret({ own: true }),
  ...repositorySettings(),
})

export const adapter = defineAdapter({
  slug: 'gitea',
  name: 'Gitea, Forgejo, Gogs',
  category: 'tracker',
  settings: Settings,
  events: ['release.published', 'release.updated'],
  groups: true,
  sourceOf: repositoryOf,

  async receive({ headers, body }, { settings }): Promise<Received<ReleaseEvent>> {
    // Gitea signs the JSON, also when it sends it in a form.
    const json = jsonOf(strictUtf8(body) ?? '', headers.get('content-type'))
    const signature = anyHeader(headers, 'signature')
    if (!json || !signature || !isHmac(signature, json, settings.secret)) return unauthorized

    // Some events have only a type.
    const name = anyHeader(headers, 'event') || anyHeader(headers, 'event-type')
    if (!name) return badRequest('X-Gitea-Event missing')
    const payload = readObject(json)
    if (payload === undefined) return badRequest('the body is not a JSON object')

    const deliveryId = deliveryIdOf(
      headers,
      ['x-gitea-delivery', 'x-forgejo-delivery', 'x-gogs-delivery'],
      body,
    )
    if (name !== 'release') return ignoredOrUnknown(name, eventNames, deliveryId)
    return receiveEvent({
      schema: ReleaseEvent,
      payload,
      name,
      fullName: ({ action }) => `${name}.${action}`,
      deliveryId,
      provider: 'Gitea',
      ignoreReason,
      settingReason: (event) => settingReason(event, settings),
    })
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, settings, language, now }) {
    return composeUnlessExcluded(settingReason(event, settings), () =>
      composeEvent(event, { language, now }),
    )
  },
})

/**
 * The value of a header under the name of Gitea, Forgejo or Gogs. Gitea and Forgejo send all of these
 * names with the same values.
 */
const anyHeader = (headers: Headers, name: string) =>
  headers.get(`x-gitea-${name}`) ??
  headers.get(`x-forgejo-${name}`) ??
  headers.get(`x-gogs-${name}`)
