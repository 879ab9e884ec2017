import type { Language } from '../../src/contract/vocabulary.ts'
import { defineAdapter, type ReceiveContext } from '../kit/adapter.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import type { RawRequest, Received } from '../kit/requests/received.ts'
import { strictUtf8 } from '../kit/requests/webhook-request.ts'
import { withProviderErrors } from './client.ts'
import { type Interaction, readBody } from './events/event.ts'
import { byOutsider, compose, onDelivered, onFailed } from './events/news.ts'
import { contributors, type SlackEvent } from './events/stored-event.ts'
import { fetchAttachment } from './files.ts'
import { installer } from './installation/installer.ts'
import { manifestFor } from './installation/manifest.ts'
import { isOurs, personOf } from './installation/workspace.ts'
import { ephemeral } from './messages/followup.ts'
import { messaging } from './messages/messaging.ts'
import { findNewsletter, postNewsletter } from './messages/newsletter.ts'
import { notifyOfAction } from './requests/actions.ts'
import { commandDelivery } from './requests/commands.ts'
import { publishHome } from './requests/home.ts'
import { handleRequest } from './requests/receiver.ts'
import { sourceOf } from './requests/source.ts'
import { channelIds, type Settings, settingsSchema } from './settings.ts'
import { isFromSlack } from './signature.ts'
import { socket } from './socket.ts'

export const adapter = defineAdapter({
  slug: 'slack',
  name: 'Slack',
  category: 'chat',
  settings: settingsSchema,
  sourceOf,

  async receive(request, context): Promise<Received<SlackEvent>> {
    const { headers, body } = request
    const text = strictUtf8(body)
    if (text === undefined) return rejected(400, 'not UTF-8')
    if (!isFromSlack(headers, text, context.settings.signing_secret, context.now))
      return rejected(401, 'no valid signature')
    return await receiveVerified(request, text, context)
  },

  compose,
  fetchAttachment,
  onDelivered: (context) => withProviderErrors(() => onDelivered(context)),
  onFailed: (context) => withProviderErrors(() => onFailed(context)),
  onAction: (context) => withProviderErrors(() => notifyOfAction(context)),
  contributors,
  async publishHome(context) {
    await publishHome(context)
  },
  messaging,
  tokenSettings: ['bot_token'],
  installer,
  socket: { ...socket, receive: receiveFromSocket },
  posting: {
    settings: ['newsletter_channel'],
    channels: ({ newsletter_channel: given }) => channelIds(String(given ?? '')),
    post: postNewsletter,
    find: findNewsletter,
  },

  setup: manifestFor,
})

/** A request over a socket, which Slack does not sign: only the owner of the app's token can open one. */
async function receiveFromSocket(request: RawRequest, context: ReceiveContext<Settings>) {
  return await receiveVerified(request, new TextDecoder().decode(request.body), context)
}

async function receiveVerified(
  { headers }: RawRequest,
  text: string,
  context: ReceiveContext<Settings>,
): Promise<Received<SlackEvent>> {
  const read = readBody(headers.get('content-type'), text)
  if (read.kind === 'unreadable') return rejected(400, read.reason)
  if (read.kind === 'unknown') return read
  if (read.kind === 'ssl_check') return { kind: 'immediateReply', reply: {} }
  if (read.body.type === 'url_verification')
    return { kind: 'immediateReply', reply: { body: { challenge: read.body.challenge } } }
  if (!isOurs(read.body, context.settings)) return refusal(read.body, context.language)
  const person = personOf(read.body, context.settings, context.workspaceIds ?? [])
  if (read.body.type === 'event_callback' && person === 'outsider')
    return { kind: 'ignored', deliveryId: read.body.event_id, reason: byOutsider }
  const received = await handleRequest(read.body, headers, context)
  if (received.kind !== 'event' || typeof person === 'string') return received
  return { ...received, event: { ...received.event, ...person } }
}

const rejected = (status: 400 | 401, reason: string) =>
  ({ kind: 'rejected', status, reason }) as const

/**
 * The result for a signed request from a workspace or an app that this connection does not serve.
 */
function refusal(body: Interaction, language: Language): Received<SlackEvent> {
  const reason = 'from another workspace or app'
  if (body.type !== 'command') return rejected(401, reason)
  const reply = { body: ephemeral(chatText(language, 'elsewhere')) }
  return { kind: 'ignored', deliveryId: commandDelivery(body), reason, reply }
}
