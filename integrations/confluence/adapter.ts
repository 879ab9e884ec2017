import * as v from 'valibot'
import { defineAdapter } from '../kit/adapter.ts'
import type { Received } from '../kit/requests/received.ts'
import { isHubSignature } from '../kit/requests/signature.ts'
import {
  badRequest,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { actions, BlogDelivery, type BlogEvent, isOtherEvent, RequestBody } from './event.ts'
import { composePost } from './news.ts'
import { Settings } from './settings.ts'

export const adapter = defineAdapter({
  slug: 'confluence',
  name: 'Confluence Data Center',
  category: 'notes',
  settings: Settings,
  events: [...actions.keys()],

  async receive({ headers, body }, { settings }): Promise<Received<BlogEvent>> {
    const text = strictUtf8(body)
    if (!text || !isHubSignature(headers.get('x-hub-signature'), text, settings.secret))
      return unauthorized
    const payload = readObject(text)
    if (payload === undefined) return badRequest('the body is not a JSON object')
    const { success, output, issues } = v.safeParse(RequestBody, payload)
    if (!success)
      return badRequest(
        `${v.getDotPath(issues[0]) ?? 'the body'} is not as Confluence documents it`,
      )
    return read(output, payload)
  },

  /** Reads the blog post from Confluence, because the event contains only its id. */
  compose: composePost,
})

function read(
  { event: name, timestamp }: v.InferOutput<typeof RequestBody>,
  payload: object,
): Received<BlogEvent> {
  const action = actions.get(name)
  if (action === undefined)
    return isOtherEvent(name)
      ? { kind: 'ignored', deliveryId: `${name}:${timestamp}`, reason: `${name} creates no block` }
      : { kind: 'unknown', eventName: name }
  const { success, output } = v.safeParse(BlogDelivery, payload)
  if (!success) return badRequest(`${name}: blog.id is not as Confluence documents it`)
  const { id } = output.blog
  // Confluence sends no id of the request; the time is the same when it is repeated.
  return {
    kind: 'event',
    deliveryId: `${name}:${id}:${timestamp}`,
    eventName: name,
    event: { action, id },
  }
}
