import * as v from 'valibot'
import { defineAdapter, flag, type Received, secret } from '../adapter.ts'
import { fullNames } from '../lists.ts'
import {
  deliveryIdOf,
  jsonOf,
  noNews,
  notReadable,
  notTrusted,
  readObject,
  receiveNews,
} from '../requests.ts'
import { isHmac, strictUtf8 } from '../signature.ts'
import { eventNames, ReleaseEvent } from './event.ts'
import { composeItem, whyIgnored } from './news.ts'

const Settings = v.object({
  secret: secret({ own: true }),
  allow_private: flag(),
  /** Only these repositories; all of them when empty. */
  repositories: fullNames(),
})

export const adapter = defineAdapter({
  slug: 'gitea',
  name: 'Gitea and Forgejo',
  category: 'tracker',
  settings: Settings,
  events: ['release.published'],
  groups: true,

  async receive({ headers, body }, { settings }): Promise<Received<ReleaseEvent>> {
    // Gitea signs the JSON, also where it then sends it in a form.
    const json = jsonOf(strictUtf8(body) ?? '', headers.get('content-type'))
    const signature = either(headers, 'signature')
    if (!json || !signature || !isHmac(signature, json, settings.secret)) return notTrusted

    // Some events have no name of their own but only a type.
    const name = either(headers, 'event') || either(headers, 'event-type')
    if (!name) return notReadable('X-Gitea-Event missing')
    const payload = readObject(json)
    if (payload === undefined) return notReadable('the body is not a JSON object')

    const deliveryId = deliveryIdOf(headers, ['x-gitea-delivery', 'x-forgejo-delivery'], body)
    if (name !== 'release') return noNews(name, eventNames, deliveryId)
    return receiveNews({
      schema: ReleaseEvent,
      payload,
      name,
      fullName: ({ action }) => `${name}.${action}`,
      deliveryId,
      provider: 'Gitea',
      whyIgnored: (event) => whyIgnored(event, settings),
    })
  },

  /** Pure: all there is to tell came with the event. */
  async compose({ event }) {
    return { kind: 'items', items: [composeItem(event)] }
  },
})

/** Forgejo sends Gitea's headers and the same under its own name. */
const either = (headers: Headers, name: string) =>
  headers.get(`x-gitea-${name}`) ?? headers.get(`x-forgejo-${name}`)
