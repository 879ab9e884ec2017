import * as v from 'valibot'
import type { BlockType } from '../../../src/contract/vocabulary.ts'
import type { ChatAction } from '../../kit/chat/actions.ts'
import { type Contributors, contributorsOf } from '../../kit/chat/contributors.ts'
import type { MrkdwnToken } from '../../kit/markdown/mrkdwn.ts'
import { readStored } from '../../kit/requests/received.ts'

/**
 * A part of a stored text. A person is a number, whose id is stored only until the delivery is
 * settled.
 */
export type TextPart = string | { person: number; label?: string }

/** The stored event. It contains no token, address or id of a person. */
export type SlackEvent = StoredEvent & Partial<PersonCheck>

/** What Slack is asked about the person of an event in a shared channel. */
export interface PersonCheck {
  /** The workspaces and organizations to one of which the person must belong. */
  only_people_of: string[]
  /** When several connections get the event: the first one to which the person belongs must be one of them. */
  first_of?: string[]
}

type StoredEvent =
  | {
      type: 'news'
      external_id: string
      block_type: BlockType
      /** Default: the first line of the body. */
      title?: TextPart[]
      body: TextPart[]
      event_slug?: string
      /** The command of the message, such as `kudos`. */
      command?: string
      /** The original message, if everybody in the workspace can open it. */
      message?: { channel: string; ts: string }
      /** The id of the image of the message, and what it shows. */
      file?: string
      file_alt?: string
      /** Whether it comes from a private conversation. */
      is_private?: boolean
      /** The channel in which somebody mentioned the bot: Slack is asked whether it is private. */
      mentioned_in?: string
      /** The name in the request, which is used when Slack does not return the display name. */
      author?: string
    }
  | { type: 'undo'; external_id: string }
  | MessageEvent
  | ReactionEvent
  | ActionEvent

/** Somebody wrote to the bot, or mentioned it. */
export interface MessageEvent {
  type: 'message'
  external_id: string
  text: TextPart[]
  /** Whether only the person and the bot are there. */
  is_direct: boolean
  /** The id of the image of the message, and what it shows. */
  file?: string
  file_alt?: string
}

/** Somebody used a button of a message. */
export interface ActionEvent {
  type: 'action'
  action: ChatAction
}

/** A reaction to a message that saves it, or the end of that reaction. */
export interface ReactionEvent {
  type: 'reaction_added' | 'reaction_removed'
  channel: string
  /** Identifies the message within its channel. */
  ts: string
  /** RFC 3339. */
  happened_at: string
}

const EphemeralContext = v.object({
  /** The person who gets follow-up messages. */
  user: v.string(),
  /** The user id of the author. */
  author: v.exactOptional(v.string()),
  /** The user ids of the mentioned people, by number. */
  people: v.array(v.string()),
  response_url: v.exactOptional(v.string()),
  /** When Slack sent the response address, RFC 3339. */
  since: v.string(),
  /** The channel in which the person used the app, for the routes of the connection. */
  source: v.exactOptional(v.string()),
  /** The message with the button that the person used. */
  message: v.exactOptional(v.object({ channel: v.string(), ts: v.string() })),
  /** The thread of the message to the bot. */
  thread: v.exactOptional(v.string()),
  /** The id of the question to which the person replies. */
  prompt: v.exactOptional(v.string()),
  /** The id of the text to the bot that the form contained. */
  unread_id: v.exactOptional(v.string()),
})

/** The data that is needed to finish. It is deleted when the delivery is settled. */
export type EphemeralContext = v.InferOutput<typeof EphemeralContext>

/** Reads the stored ephemeral data; undefined after it was deleted. */
export const readEphemeralContext = (stored: unknown): EphemeralContext | undefined =>
  readStored(EphemeralContext, stored)

/** Who gets messages about the status of an item: the person who saved it, its author, and whom kudos thank. */
export function contributors({
  event,
  ephemeralContext,
}: {
  event: SlackEvent
  ephemeralContext: unknown
}): Contributors | undefined {
  const saved = readEphemeralContext(ephemeralContext)
  if (!saved) return undefined
  const { user, author, people, prompt, unread_id } = saved
  const isKudos = event.type === 'news' && event.command === 'kudos'
  const thanked = isKudos ? new Set(people).difference(new Set([author])) : new Set<string>()
  const isPrivate = event.type === 'news' && event.is_private === true
  return contributorsOf({ user, author, thanked, isPrivate, prompt, unread_id })
}

/** The maximum number of names that are requested for one text, because of Slack's rate limit. */
const maxPeople = 20

/** The number of people beyond them, whose names are not requested. */
const unnamed = -1

/** Replaces user ids by numbers and adds the ids to `people`, so that the text can be stored. */
export function removeUserIds(pieces: MrkdwnToken[], people: string[]): TextPart[] {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    const number = numberOf(piece.person, people)
    return piece.label ? { person: number, label: piece.label } : { person: number }
  })
}

/** The number of a person among `people`, who is added; `unnamed` when there are too many of them. */
function numberOf(id: string, people: string[]): number {
  const number = people.indexOf(id)
  if (number !== -1) return number
  return people.length < maxPeople ? people.push(id) - 1 : unnamed
}

/** Text with the names of people. An unknown person is `someone`, never an id. */
export function resolveNames(
  parts: TextPart[],
  nameOf: (person: number) => string | undefined,
  someone: string,
) {
  return parts
    .map((part) =>
      typeof part === 'string' ? part : (nameOf(part.person) ?? part.label ?? someone),
    )
    .join('')
}
