import * as v from 'valibot'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import { type MrkdwnToken, unknownUser } from '../kit/mrkdwn.ts'

/** A piece of stored text: a person is a number, whose id is kept only until the news is settled. */
export type TextPart = string | { person: number; label?: string }

/** What is stored of a request. No token, address or id of a person is in it. */
export type SlackEvent =
  | {
      type: 'news'
      external_id: string
      block_type: BlockType
      /** Left out: the first line of the body. */
      title?: TextPart[]
      body: TextPart[]
      event_slug?: string
      /** The command it was sent with, such as `kudos`. */
      command?: string
      /** The message that it was made from, when everybody in the workspace can open it. */
      message?: { channel: string; ts: string }
      /** A name known without asking, used when Slack does not give the display name. */
      author?: string
    }
  | { type: 'undo'; external_id: string }

const EphemeralContext = v.object({
  /** Whom to tell. */
  user: v.string(),
  /** The id to look the author up by. */
  author: v.exactOptional(v.string()),
  /** Ids of the people the text names, by number. */
  people: v.array(v.string()),
  response_url: v.exactOptional(v.string()),
  /** When Slack handed the response address out, RFC 3339. */
  since: v.string(),
})

/** What is needed to finish, and wiped when the delivery is settled. */
export type EphemeralContext = v.InferOutput<typeof EphemeralContext>

/** Reads what the host kept; undefined once it was wiped. */
export function readEphemeralContext(kept: unknown): EphemeralContext | undefined {
  const parsed = v.safeParse(EphemeralContext, kept)
  return parsed.success ? parsed.output : undefined
}

/** Looking up more people than this for one text would only burn Slack's rate limit. */
const peopleAtMost = 20

/** Text fit to be stored: ids move to `people` and leave their place number behind. */
export function removeUserIds(pieces: MrkdwnToken[], people: string[]): TextPart[] {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece
    const number = placeOf(piece.person, people)
    if (number === undefined) return piece.label ?? unknownUser
    return piece.label ? { person: number, label: piece.label } : { person: number }
  })
}

function placeOf(id: string, people: string[]): number | undefined {
  const place = people.indexOf(id)
  if (place !== -1) return place
  return people.length < peopleAtMost ? people.push(id) - 1 : undefined
}

/** Text with its people's names; who is unknown is "someone", never an id. */
export function resolveNames(parts: TextPart[], nameOf: (person: number) => string | undefined) {
  return parts
    .map((part) =>
      typeof part === 'string' ? part : (nameOf(part.person) ?? part.label ?? unknownUser),
    )
    .join('')
}
