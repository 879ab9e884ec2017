import * as v from 'valibot'
import { defineAdapter, type ReceiveContext } from '../kit/adapter.ts'
import { composeCommand, composeDirectMessage } from '../kit/chat/direct-message.ts'
import { buildChatItem } from '../kit/chat/submissions.ts'
import type { RawRequest, Received } from '../kit/requests/received.ts'
import {
  badRequest,
  deliveryIdOf,
  nameForLogs,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { fetchAttachment } from './files.ts'
import { messaging } from './messages/messaging.ts'
import { findNewsletter, postNewsletter } from './messages/newsletter.ts'
import { notifyDelivered, notifyFailed, notifyOfAction } from './messages/notify.ts'
import { readAddOnEvent, resultForAddOn } from './requests/add-on.ts'
import { receiveClick } from './requests/clicks.ts'
import { Event, otherEvents } from './requests/event.ts'
import { help, receiveAppCommand, receiveMessage } from './requests/receive-message.ts'
import { noReply } from './requests/reply.ts'
import { type Settings, settingsSchema } from './settings.ts'
import {
  contributors,
  type GoogleChatEvent,
  personalUser,
  readEphemeralContext,
} from './stored-event.ts'
import { isFromGoogle } from './token.ts'

export const adapter = defineAdapter({
  slug: 'google-chat',
  name: 'Google Chat',
  category: 'chat',
  settings: settingsSchema,
  sourceOf,

  async receive(request, context): Promise<Received<GoogleChatEvent>> {
    if (!(await isFromGoogle(request, context))) return unauthorized
    const payload = readObject(strictUtf8(request.body) ?? '')
    if (payload === undefined) return badRequest('the body is not a JSON object')
    const addOnEvent = readAddOnEvent(payload)
    const { success, output: event } = v.safeParse(Event, addOnEvent ?? payload)
    if (!success) return badRequest('the body is not an event as Google Chat documents it')
    const digest = deliveryIdOf(new Headers(), [], request.body)
    const received = await receiveEvent(event, digest, context)
    const { settings } = context
    return addOnEvent ? resultForAddOn(received, event, { url: request.url, settings }) : received
  },

  async compose({ event, ephemeralContext, language }) {
    switch (event.type) {
      case 'news':
        return composeCommand(buildChatItem(event, language), {
          command: event.command,
          user: personalUser(ephemeralContext),
        })
      case 'undo':
        return { kind: 'withdraw', externalIds: [event.external_id] }
      case 'message': {
        const user = readEphemeralContext(ephemeralContext)?.person?.id
        return user === undefined
          ? { kind: 'ignored', reason: 'Nobody knows any more who wrote it.' }
          : composeDirectMessage(event, user)
      }
      case 'action': {
        const person = readEphemeralContext(ephemeralContext)?.person
        return person
          ? { kind: 'action', action: event.action, person }
          : { kind: 'ignored', reason: 'Nobody knows any more who used the button.' }
      }
    }
  },

  fetchAttachment,
  onDelivered: notifyDelivered,
  onFailed: notifyFailed,
  onAction: notifyOfAction,
  contributors,
  messaging,
  posting: { settings: ['newsletter_channel'], post: postNewsletter, find: findNewsletter },
})

async function receiveEvent(
  event: Event,
  digest: string,
  context: ReceiveContext<Settings>,
): Promise<Received<GoogleChatEvent>> {
  switch (event.type) {
    case 'MESSAGE':
      return event.message
        ? await receiveMessage({ ...event, message: event.message, digest }, context)
        : badRequest('a message event without its message')
    case 'APP_COMMAND':
      return await receiveAppCommand(event, context)
    case 'CARD_CLICKED':
      return await receiveClick(event, context)
    case 'ADDED_TO_SPACE':
      return event.interactionAdd
        ? { kind: 'immediateReply', reply: noReply }
        : help(event, context)
    default:
      return otherEvents.has(event.type)
        ? {
            kind: 'ignored',
            deliveryId: digest,
            reason: `${event.type}: creates no block`,
            reply: noReply,
          }
        : { kind: 'unknown', eventName: nameForLogs(event.type) }
  }
}

const Source = v.object({ space: v.object({ name: v.string() }) })

/** The space of a request, which is not verified yet. */
function sourceOf({ body }: RawRequest): string | undefined {
  const payload = readObject(strictUtf8(body) ?? '') ?? {}
  const parsed = v.safeParse(Source, readAddOnEvent(payload) ?? payload)
  return parsed.success ? parsed.output.space.name : undefined
}
