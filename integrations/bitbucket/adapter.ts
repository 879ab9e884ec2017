import * as v from 'valibot'
import { defineAdapter, list, secret } from '../kit/adapter.ts'
import { composeUnlessExcluded, repositorySettings } from '../kit/filters.ts'
import type { Received } from '../kit/requests/received.ts'
import { repositoryOf } from '../kit/requests/request-source.ts'
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
import { CloudPush, DataCenterPush, eventNames, type TagsEvent } from './event.ts'
import { composeItems, ignoreReason, settingReason, withListedTags } from './news.ts'

const Settings = v.object({
  secret: secret({ own: true }),
  /** Tags that mark a release; `*` matches any characters. */
  tag_pattern: v.optional(v.pipe(list(), v.nonEmpty('must not be empty')), 'v*'),
  ...repositorySettings(),
})

export const adapter = defineAdapter({
  slug: 'bitbucket',
  name: 'Bitbucket',
  category: 'tracker',
  settings: Settings,
  events: ['repo:push', 'repo:refs_changed'],
  groups: true,
  sourceOf: repositoryOf,

  async receive({ headers, body }, { settings }): Promise<Received<TagsEvent>> {
    if (!isHubSignature(headers.get('x-hub-signature'), body, settings.secret)) return unauthorized

    const name = headers.get('x-event-key')
    if (!name) return badRequest('X-Event-Key missing')
    if (name === 'diagnostics:ping')
      return { kind: 'immediateReply', reply: { status: 200, body: { ok: true } } }
    const payload = readObject(strictUtf8(body) ?? '')
    if (payload === undefined) return badRequest('the body is not a JSON object')

    const deliveryId = deliveryIdOf(headers, ['x-request-uuid', 'x-request-id'], body)
    const pushes = { 'repo:push': CloudPush, 'repo:refs_changed': DataCenterPush }
    if (name !== 'repo:push' && name !== 'repo:refs_changed')
      return ignoredOrUnknown(name, eventNames, deliveryId)
    return receiveEvent({
      schema: v.pipe(
        pushes[name],
        v.transform((event) => withListedTags(event, settings)),
      ),
      payload,
      name,
      deliveryId,
      provider: 'Bitbucket',
      ignoreReason,
      settingReason: (event) => settingReason(event, settings),
    })
  },

  /** Needs no call: the event contains everything. */
  async compose({ event, settings, language }) {
    return composeUnlessExcluded(settingReason(event, settings), () => ({
      kind: 'items',
      items: composeItems(event, settings, language),
    }))
  },
})
