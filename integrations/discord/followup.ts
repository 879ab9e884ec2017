import { ButtonStyleTypes, MessageComponentTypes } from 'discord-interactions'
import * as v from 'valibot'
import type { ComposeContext, DeliveredContext, FailedContext } from '../kit/adapter.ts'
import type { ChatSubmission } from '../kit/chat/chat.ts'
import { chatText } from '../kit/chat/locales/index.ts'
import type { Json } from '../kit/received.ts'
import type { Settings } from './settings.ts'

/** The stored event of an interaction. It contains no token and no id of a person. */
export type DiscordEvent =
  | (ChatSubmission & { type: 'news' })
  | { type: 'undo'; external_id: string }

const timeout_ms = 10_000

/** https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
const lifetime_ms = 15 * 60 * 1000

const EphemeralContext = v.object({
  application_id: v.string(),
  token: v.string(),
  since: v.string(),
})

/** The data for a later reply. It is deleted when the delivery is settled. */
export function ephemeralContextOf(
  { application_id, token }: { application_id?: string | null | undefined; token: string },
  settings: Settings,
  now: Date,
): Json | undefined {
  const application = application_id ?? settings.application_id
  return application && { application_id: application, token, since: now.toISOString() }
}

const undoMark = 'undo:'

/**
 * The external id in an Undo button. The button needs no signature of ours: only the person who
 * saved the message sees it, and Discord signs the interaction.
 */
export const undoOf = (customId: string): string | undefined =>
  /^undo:(discord:[\d:a-z]{1,80})$/.exec(customId)?.[1]

/** Replaces the first reply with the link to the block, or with the result of Undo. */
export async function notifyDelivered(
  context: DeliveredContext<Settings, DiscordEvent>,
): Promise<void> {
  const message = messageFor(context)
  if (message !== undefined) await send(message, context)
}

/** Replaces the first reply when the content was not saved. */
export async function notifyFailed(context: FailedContext<Settings, DiscordEvent>): Promise<void> {
  const content = chatText(
    context.language,
    context.event.type === 'undo' ? 'not_undone' : 'not_saved',
  )
  await send({ content, components: [] }, context)
}

async function send(
  message: object,
  context: ComposeContext<Settings, DiscordEvent>,
): Promise<void> {
  const { settings, provider, now } = context
  const { success, output: address } = v.safeParse(EphemeralContext, context.ephemeralContext)
  // This condition treats an unreadable time as too old.
  if (!success || !(now.getTime() - Date.parse(address.since) < lifetime_ms)) return
  const base = settings.api_base_url.replace(/\/*$/, '')
  const response = await provider.fetch(
    `${base}/webhooks/${address.application_id}/${address.token}/messages/@original`,
    {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, allowed_mentions: { parse: [] } }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout_ms),
    },
  )
  if (!response.ok)
    throw new Error(`Discord did not accept the follow-up: status ${response.status}`)
}

function messageFor({ event, blocks, language }: DeliveredContext<Settings, DiscordEvent>) {
  const [block] = blocks
  if (event.type === 'undo') {
    const content = block
      ? chatText(language, 'undone_kept', { links: linkTo(block.url) })
      : chatText(language, 'undone')
    return { content, components: [] }
  }
  if (block === undefined) return undefined
  const link = linkTo(block.url)
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

/** The angle brackets prevent that Discord shows a preview of the link. */
const linkTo = (url: string) => `<${url}>`
