import { InteractionResponseType, InteractionType } from 'discord-interactions'
import * as v from 'valibot'
import { defineAdapter, type ReceiveContext } from '../kit/adapter.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import { buildChatItem } from '../kit/chat/submissions.ts'
import { replaceTimes } from '../kit/dates.ts'
import type { Received } from '../kit/requests/received.ts'
import { channelOf } from '../kit/requests/request-source.ts'
import {
  badRequest,
  nameForLogs,
  readObject,
  strictUtf8,
  unauthorized,
} from '../kit/requests/webhook-request.ts'
import { contributors } from './contributors.ts'
import { fetchAttachment } from './files.ts'
import { ephemeral } from './messages/components.ts'
import { messaging } from './messages/messaging.ts'
import { posting } from './messages/newsletter.ts'
import { notifyDelivered, notifyFailed } from './messages/notify.ts'
import { registration } from './registration.ts'
import { composeAction, notifyOfAction } from './requests/actions.ts'
import { Envelope, Interaction } from './requests/interaction.ts'
import { receiveInteraction } from './requests/receive-interaction.ts'
import { type Settings, settingsSchema } from './settings.ts'
import { isFromDiscord } from './signature.ts'
import type { DiscordEvent } from './stored-event.ts'

export const adapter = defineAdapter({
  slug: 'discord',
  name: 'Discord',
  category: 'chat',
  settings: settingsSchema,
  sourceOf: channelOf,

  async receive(request, context): Promise<Received<DiscordEvent>> {
    const { settings, now } = context
    if (!(await isFromDiscord(request, settings.public_key, now))) return unauthorized
    const payload = readObject(strictUtf8(request.body) ?? '')
    if (payload === undefined) return badRequest('the body is not a JSON object')
    const { success, output: envelope } = v.safeParse(Envelope, payload)
    if (!success) return badRequest('the body is not an interaction as Discord documents it')

    return (
      refuseForeign(envelope, context) ??
      answerWithoutReading(envelope) ??
      (await readInteraction(payload, context))
    )
  },

  async compose(context) {
    const { event, language } = context
    if (event.type === 'action') return await composeAction(context, event)
    return event.type === 'undo'
      ? { kind: 'withdraw', externalIds: [event.external_id] }
      : {
          kind: 'items',
          items: [buildChatItem({ ...event, body: replaceTimes(event.body, language) }, language)],
        }
  },

  fetchAttachment,
  onDelivered: notifyDelivered,
  onFailed: notifyFailed,
  onAction: notifyOfAction,
  contributors,
  messaging,
  posting,
  registration,
})

/**
 * Refuses interactions of other applications and servers: Discord signs for an application, which
 * can be installed in servers that are not ours.
 */
function refuseForeign(
  { type, id, application_id, guild_id }: Envelope,
  { settings, language }: ReceiveContext<Settings>,
): Received<DiscordEvent> | undefined {
  if (settings.application_id && application_id && settings.application_id !== application_id)
    return { kind: 'rejected', status: 401, reason: 'from another application' }
  const { server_ids } = settings
  if (
    type === InteractionType.PING ||
    server_ids.length === 0 ||
    server_ids.includes(guild_id ?? '')
  )
    return undefined
  const reason = 'from a server that is not on the list of this connection (server_ids)'
  return {
    kind: 'ignored',
    deliveryId: id,
    reason,
    reply: ephemeral(chatText(language, 'elsewhere_server')),
  }
}

function answerWithoutReading({ type, id }: Envelope): Received<DiscordEvent> | undefined {
  if (type === InteractionType.PING)
    return { kind: 'immediateReply', reply: { body: { type: InteractionResponseType.PONG } } }
  if (type === InteractionType.APPLICATION_COMMAND_AUTOCOMPLETE)
    return { kind: 'ignored', deliveryId: id, reason: 'a search for what to fill in' }
  return type in InteractionType
    ? undefined
    : { kind: 'unknown', eventName: nameForLogs(`interaction:${type}`) }
}

async function readInteraction(
  payload: object,
  context: ReceiveContext<Settings>,
): Promise<Received<DiscordEvent>> {
  const interaction = v.safeParse(Interaction, payload)
  return interaction.success
    ? await receiveInteraction(interaction.output, context)
    : badRequest('an interaction without the fields it needs')
}
