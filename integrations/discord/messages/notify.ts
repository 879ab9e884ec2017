import {
  ButtonStyleTypes,
  InteractionResponseFlags,
  MessageComponentTypes,
} from 'discord-interactions'
import type {
  ComposeContext,
  DeliveredBlock,
  DeliveredContext,
  FailedContext,
} from '../../kit/adapter.ts'
import { failureText } from '../../kit/chat/action-replies.ts'
import { chatText } from '../../kit/chat/locales/index.ts'
import { shortTitle } from '../../kit/chat/messages/message-part.ts'
import { baseOf, errorOf, userAgent } from '../api.ts'
import type { Settings } from '../settings.ts'
import { type DiscordEvent, type EphemeralContext, readEphemeralContext } from '../stored-event.ts'
import { chatLocale } from './format.ts'

const timeoutMs = 10_000

/** https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
const lifetimeMs = 15 * 60 * 1000

const undoMark = 'undo:'

/**
 * The external id in an Undo button. The button needs no signature of ours: only the person who
 * saved the message sees it, and Discord signs the interaction.
 */
export const undoOf = (customId: string): string | undefined =>
  /^undo:(discord:[\d:a-z]{1,80})$/.exec(customId)?.[1]

type ReplyContext = Pick<ComposeContext<Settings, DiscordEvent>, 'settings' | 'provider' | 'now'>

/** Replaces the first reply with the link to the block, or with the result of Undo. */
export async function notifyDelivered(
  context: DeliveredContext<Settings, DiscordEvent>,
): Promise<void> {
  const message = messageFor(context)
  const address = readEphemeralContext(context.ephemeralContext)
  if (message !== undefined) await replaceReply(address, message, context)
}

/** Says that the content was not saved, or that a button did nothing. */
export async function notifyFailed(context: FailedContext<Settings, DiscordEvent>): Promise<void> {
  const { event, language } = context
  const address = readEphemeralContext(context.ephemeralContext)
  const content = failureText(event.type, language)
  if (event.type === 'action') await addReply(address, { content }, context)
  else await replaceReply(address, { content, components: [] }, context)
}

/** Replaces the reply to an interaction. */
export async function replaceReply(
  address: EphemeralContext | undefined,
  message: object,
  context: ReplyContext,
): Promise<void> {
  await callWebhook(address, { method: 'PATCH', path: '/messages/@original', message }, context)
}

/** Adds a reply to an interaction, for the person who used the app alone. */
export async function addReply(
  address: EphemeralContext | undefined,
  message: object,
  context: ReplyContext,
): Promise<void> {
  const own = { ...message, flags: InteractionResponseFlags.EPHEMERAL }
  await callWebhook(address, { method: 'POST', path: '', message: own }, context)
}

async function callWebhook(
  address: EphemeralContext | undefined,
  { method, path, message }: { method: 'PATCH' | 'POST'; path: string; message: object },
  { settings, provider, now }: ReplyContext,
): Promise<void> {
  if (!address?.application_id) return
  // This condition treats an unreadable time as too old.
  if (!(now.getTime() - Date.parse(address.since) < lifetimeMs)) return
  const { application_id, token } = address
  const response = await provider.fetch(
    `${baseOf(settings)}/webhooks/${application_id}/${token}${path}`,
    {
      method,
      headers: { 'content-type': 'application/json', ...userAgent },
      body: JSON.stringify({ ...message, allowed_mentions: { parse: [] } }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    },
  )
  const { status } = response
  if (status === 429 || status >= 500)
    throw errorOf(response, await response.json().catch(() => null))
  // Discord does not know an interaction that it is still processing.
  if (!response.ok) throw new Error(`Discord did not accept the follow-up: status ${status}`)
}

function messageFor({ event, blocks, language }: DeliveredContext<Settings, DiscordEvent>) {
  const [block] = blocks
  const linkTo = ({ url, title }: DeliveredBlock) =>
    chatLocale(language).format.link(url, shortTitle(title))
  if (event.type === 'undo') {
    const content = block
      ? chatText(language, 'undone_kept', { links: linkTo(block) })
      : chatText(language, 'undone')
    return { content, components: [] }
  }
  // The message with the button says what became of a draft.
  if (event.type === 'action' || block === undefined) return undefined
  const link = linkTo(block)
  if (!block.created || block.externalId === null)
    return { content: chatText(language, 'in_library_already', { link }), components: [] }
  const undo = {
    type: MessageComponentTypes.BUTTON,
    style: ButtonStyleTypes.SECONDARY,
    label: chatText(language, 'undo'),
    custom_id: `${undoMark}${block.externalId}`,
  }
  const row = { type: MessageComponentTypes.ACTION_ROW, components: [undo] }
  return { content: chatText(language, 'in_library', { link }), components: [row] }
}
