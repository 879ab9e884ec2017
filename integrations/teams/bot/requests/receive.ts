import * as v from 'valibot'
import type { ReceiveContext } from '../../../kit/adapter.ts'
import type { RawRequest, Received } from '../../../kit/requests/received.ts'
import {
  badRequest,
  nameForLogs,
  readObject,
  strictUtf8,
  unauthorized,
} from '../../../kit/requests/webhook-request.ts'
import { activityTypes } from '../../activity.ts'
import { isServiceUrl, type Settings } from '../../settings.ts'
import { noReply } from '../messages/reply.ts'
import type { BotEvent } from '../stored-event.ts'
import { verifiedServiceUrl } from '../token.ts'
import { BotActivity, tenantOf } from './activity.ts'
import { deliveryOf, receiveInvoke, receiveMessage } from './receive-message.ts'

/** Verifies an activity of the Bot Connector and reads it. */
export async function receiveActivity(
  request: RawRequest,
  context: ReceiveContext<Settings>,
): Promise<Received<BotEvent>> {
  const serviceUrl = await verifiedServiceUrl(request, context)
  if (serviceUrl === undefined) return unauthorized
  const payload = readObject(strictUtf8(request.body) ?? '')
  if (payload === undefined) return badRequest('the body is not a JSON object')
  const { success, output: activity } = v.safeParse(BotActivity, payload)
  if (!success) return badRequest('the body is not an activity as Microsoft documents it')
  const { settings } = context
  // The token names the address to which the token of the bot is sent.
  if (activity.serviceUrl !== serviceUrl || activity.channelId !== 'msteams') return unauthorized
  if (tenantOf(activity) !== settings.tenant_id)
    return { kind: 'rejected', status: 401, reason: 'from another tenant' }
  const received = await readActivity(activity, context)
  const isNew = settings.service_url === undefined && isServiceUrl(serviceUrl, settings)
  return isNew && (received.kind === 'event' || received.kind === 'immediateReply')
    ? { ...received, providerSettings: { service_url: serviceUrl } }
    : received
}

async function readActivity(
  activity: BotActivity,
  context: ReceiveContext<Settings>,
): Promise<Received<BotEvent>> {
  const { type } = activity
  if (type === 'message') return await receiveMessage(activity, context)
  if (type === 'invoke') return await receiveInvoke(activity, context)
  const deliveryId = deliveryOf(activity)
  return activityTypes.has(type)
    ? { kind: 'ignored', deliveryId, reason: `${type}: not a message`, reply: noReply }
    : { kind: 'unknown', eventName: nameForLogs(type) }
}
