import { ButtonStyleTypes, MessageComponentTypes } from 'discord-interactions'
import * as v from 'valibot'
import type { ComposeContext, DeliveredContext, FailedContext, Json } from '../kit/adapter.ts'
import { type ChatSubmission, notSavedText, notUndoneText } from '../kit/chat.ts'
import type { Settings } from './settings.ts'

/** What is stored of an interaction. No token and no id of a person is in it. */
export type DiscordEvent =
  | (ChatSubmission & { type: 'news' })
  | { type: 'undo'; external_id: string }

const timeout_ms = 10_000

/** https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
const lifetime_ms = 15 * 60 * 1000

const Transient = v.object({ application_id: v.string(), token: v.string(), since: v.string() })

/** What is needed to answer later: wiped when the news has landed. */
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
 * The external id an Undo button stands for. The button needs no seal: only the person who saved
 * the news sees it, and Discord signs that it was pressed.
 */
export const undoOf = (customId: string): string | undefined =>
  /^undo:(discord:[\d:a-z]{1,80})$/.exec(customId)?.[1]

/** Tells the person where their news lies, or what became of their Undo, in place of the first answer. */
export async function notifyDelivered(
  context: DeliveredContext<Settings, DiscordEvent>,
): Promise<void> {
  const message = messageFor(context)
  if (message !== undefined) await say(message, context)
}

/** Tells the person who was told "saved" that it came to nothing, in place of the first answer. */
export async function notifyFailed(context: FailedContext<Settings, DiscordEvent>): Promise<void> {
  const content = context.event.type === 'undo' ? notUndoneText : notSavedText
  await say({ content, components: [] }, context)
}

async function say(
  message: object,
  context: ComposeContext<Settings, DiscordEvent>,
): Promise<void> {
  const { settings, provider, now } = context
  const { success, output: address } = v.safeParse(Transient, context.transient)
  // Written so that an unreadable time counts as too old.
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
  if (!response.ok) throw new Error(`Discord took no follow-up: status ${response.status}`)
}

function messageFor({ event, blocks }: DeliveredContext<Settings, DiscordEvent>) {
  const [block] = blocks
  if (event.type === 'undo') {
    const content = block
      ? `It stands in an issue already, so it stays: ${linkTo(block.url)}. Its editors can take it out.`
      : 'Taken back: it is no longer in the library.'
    return { content, components: [] }
  }
  if (block === undefined) return undefined
  const link = linkTo(block.url)
  if (!block.created || block.externalId === null)
    return { content: `This is in the library already: ${link}`, components: [] }
  const undo = {
    type: MessageComponentTypes.BUTTON,
    style: ButtonStyleTypes.SECONDARY,
    label: 'Undo',
    custom_id: `${undoMark}${block.externalId}`,
  }
  const row = { type: MessageComponentTypes.ACTION_ROW, components: [undo] }
  return { content: `In the library: ${link}`, components: [row] }
}

/** In angle brackets, so that Discord shows no preview of it. */
const linkTo = (url: string) => `<${url}>`
