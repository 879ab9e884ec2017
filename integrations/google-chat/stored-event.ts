import * as v from 'valibot'
import type { ChatAction } from '../kit/chat/actions.ts'
import { type Contributors, contributorsOf } from '../kit/chat/contributors.ts'
import type { DirectMessage } from '../kit/chat/direct-message.ts'
import type { ChatPerson } from '../kit/chat/messages/messaging.ts'
import type { ChatSubmission } from '../kit/chat/submissions.ts'
import { readStored } from '../kit/requests/received.ts'
import { type Event, isDirect, nameOf } from './requests/event.ts'
import type { Settings } from './settings.ts'

/** The stored event. It contains no id or address of a person. */
export type GoogleChatEvent =
  | (ChatSubmission & {
      type: 'news'
      /** Whether it comes from a private conversation. */
      is_private?: boolean
    })
  | DirectMessage
  | { type: 'undo'; external_id: string }
  | { type: 'action'; action: ChatAction }

const EphemeralContext = v.object({
  /** Who used the app. */
  person: v.exactOptional(
    v.object({
      id: v.string(),
      name: v.string(),
      isActive: v.boolean(),
      email: v.nullable(v.string()),
    }),
  ),
  /** Where the person used the app. */
  space: v.exactOptional(v.string()),
  /** Whether only the person and the app are there. */
  is_direct: v.boolean(),
  thread: v.exactOptional(v.string()),
  /** The message with the button that the person used. */
  message: v.exactOptional(v.string()),
  /** The id of the author of a saved message. */
  author: v.exactOptional(v.string()),
  /** The ids of the mentioned people. */
  mentioned: v.array(v.string()),
  /** The id of the question to which the person replies. */
  prompt: v.exactOptional(v.string()),
  /** The id of the text to the app that the form contained. */
  unread_id: v.exactOptional(v.string()),
})

/** The data that is needed to finish. It is deleted when the delivery is settled. */
export type EphemeralContext = v.InferOutput<typeof EphemeralContext>

/** Reads the stored data; undefined after it was deleted. */
export const readEphemeralContext = (stored: unknown): EphemeralContext | undefined =>
  readStored(EphemeralContext, stored)

/** The id of a person who was alone with the app. */
export function personalUser(stored: unknown): string | undefined {
  const context = readEphemeralContext(stored)
  return context?.is_direct ? context.person?.id : undefined
}

/** Who used the app, and where. */
export function ephemeralContextOf(
  event: Event,
  settings: Settings,
  more: Partial<
    Pick<EphemeralContext, 'author' | 'mentioned' | 'prompt' | 'message' | 'unread_id'>
  > = {},
): EphemeralContext {
  const { space, message } = event
  const person = personOf(event, settings)
  const thread = message?.thread?.name
  return {
    ...(person && { person }),
    ...(space?.name && { space: space.name }),
    is_direct: isDirect(space),
    ...(thread && { thread }),
    mentioned: [],
    ...more,
  }
}

/** The person of an event. Their address counts in the domains of the team only. */
export function personOf({ user }: Event, { email_domains }: Settings): ChatPerson | undefined {
  if (!user) return undefined
  const address = user.email?.toLowerCase() ?? ''
  const [, domain = ''] = address.split('@')
  const isOurs = email_domains.some((one) => one.toLowerCase() === domain)
  const isActive = user.type !== 'BOT'
  return {
    id: user.name,
    name: nameOf(user) || user.name,
    isActive,
    email: isOurs ? address : null,
  }
}

/** Who gets messages about the status of an item: the person who saved it, its author, and whom kudos thank. */
export function contributors({
  event,
  ephemeralContext,
}: {
  event: GoogleChatEvent
  ephemeralContext: unknown
}): Contributors | undefined {
  const saved = readEphemeralContext(ephemeralContext)
  if (event.type !== 'news' || saved?.person === undefined) return undefined
  const { person, mentioned, prompt, unread_id } = saved
  const user = person.id
  const { author = user } = saved
  const thanked = event.command === 'kudos' ? mentioned.filter((one) => one !== author) : []
  const isPrivate = event.is_private === true
  return contributorsOf({ user, author, thanked, isPrivate, prompt, unread_id })
}
