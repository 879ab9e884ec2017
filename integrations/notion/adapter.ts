import * as v from 'valibot'
import { defineAdapter } from '../kit/adapter.ts'
import type { Received } from '../kit/requests/received.ts'
import {
  badRequest,
  ignoredOrUnknown,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { otherEvents, type PageEvent, pageEvents, RequestBody } from './event.ts'
import { composePage } from './news.ts'
import { Settings } from './settings.ts'
import { isFromNotion } from './signature.ts'

export const adapter = defineAdapter({
  slug: 'notion',
  name: 'Notion',
  category: 'notes',
  settings: Settings,
  events: [...pageEvents],

  async receive({ headers, body }, { settings }): Promise<Received<PageEvent>> {
    const text = strictUtf8(body) ?? ''
    const signature = headers.get('x-notion-signature')
    const { verification_token: tokens } = settings
    if (tokens === undefined) return introduce(text, signature)
    if (!isFromNotion(text, signature ?? '', tokens)) return unauthorized
    const payload = readObject(text)
    // A person who could set another token could send requests in Notion's name from then on.
    if (v.is(Introduction, payload)) return unauthorized
    return pick(payload)
  },

  /** Reads the present content of the page from Notion, because the event contains only its id. */
  compose: composePage,
})

/** A subscription begins with a request in which Notion sends the token of its signatures. */
const Introduction = v.object({ verification_token: v.pipe(v.string(), v.regex(/^[\w-]{8,200}$/)) })

/**
 * According to Notion's library, this request is signed with its own token; in practice it is also
 * sent without a signature.
 */
function introduce(text: string, signature: string | null): Received<PageEvent> {
  const { success, output } = v.safeParse(Introduction, readObject(text))
  if (!success) return unauthorized
  const { verification_token } = output
  if (signature !== null && !isFromNotion(text, signature, [verification_token]))
    return unauthorized
  return {
    kind: 'immediateReply',
    reply: { status: 200, body: { ok: true } },
    providerSettings: { verification_token },
  }
}

function pick(payload: unknown): Received<PageEvent> {
  const { success, output, issues } = v.safeParse(RequestBody, payload)
  if (!success)
    return badRequest(`${v.getDotPath(issues[0]) ?? 'the body'} is not as Notion documents it`)
  const { id: deliveryId, type, entity } = output
  return pageEvents.has(type)
    ? { kind: 'event', deliveryId, eventName: type, event: { page_id: entity.id } }
    : ignoredOrUnknown(type, otherEvents, deliveryId)
}
