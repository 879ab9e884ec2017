import * as v from 'valibot'
import type { ChatAction } from '../kit/chat/actions.ts'
import type { ChatSubmission } from '../kit/chat/submissions.ts'
import { type Json, readStored } from '../kit/requests/received.ts'
import { type Interaction, personOf } from './requests/interaction.ts'
import type { Settings } from './settings.ts'

/** The stored event of an interaction. It contains no token and no id of a person. */
export type DiscordEvent =
  | (ChatSubmission & {
      type: 'news'
      /** Where the message was written that somebody saved; its channel may be private. */
      saved_from?: { channel: string; server: string }
    })
  | { type: 'undo'; external_id: string }
  | { type: 'action'; action: ChatAction }

const EphemeralContext = v.object({
  application_id: v.exactOptional(v.string()),
  token: v.string(),
  since: v.string(),
  /** The id and the name of the person who used the app. */
  user: v.exactOptional(v.string()),
  name: v.exactOptional(v.string()),
  /** The person who wrote the message that was saved. */
  author: v.exactOptional(v.string()),
  /** The people whom a command thanks. */
  thanked: v.optional(v.array(v.string()), []),
  /** The id of the question to which the person replies. */
  prompt: v.exactOptional(v.string()),
  /** The message with the button that the person used. */
  message: v.exactOptional(v.object({ channel: v.string(), message: v.string() })),
  /** Whether the message with the button asks for a confirmation, and only this person sees it. */
  isAsked: v.optional(v.boolean(), false),
})

/** The data that is needed to finish. It is stored encrypted and deleted when the delivery is settled. */
export type EphemeralContext = v.InferOutput<typeof EphemeralContext>

/** The data for a later reply to an interaction. */
export function ephemeralContextOf(
  interaction: Interaction,
  { settings, now }: { settings: Settings; now: Date },
  more: Partial<EphemeralContext> = {},
): Json {
  const { application_id, token, message } = interaction
  const application = application_id ?? settings.application_id
  const { id, name } = personOf(interaction)
  const channel = message?.channel_id ?? interaction.channel_id
  return {
    token,
    since: now.toISOString(),
    ...(application && { application_id: application }),
    ...(id && { user: id, name: name || id }),
    ...(message && channel && { message: { channel, message: message.id } }),
    ...more,
  }
}

/** Reads the stored ephemeral data; undefined after it was deleted. */
export const readEphemeralContext = (stored: unknown): EphemeralContext | undefined =>
  readStored(EphemeralContext, stored)
