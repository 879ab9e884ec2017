import * as v from 'valibot'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import type { ComposeContext } from '../kit/adapter.ts'
import type { ChatAction } from '../kit/chat/actions.ts'
import { type Contributors, contributorsOf } from '../kit/chat/contributors.ts'
import type { ChatSubmission } from '../kit/chat/submissions.ts'
import { readStored } from '../kit/requests/received.ts'
import type { Settings } from './settings.ts'

/** The stored event. It contains no id of a person. */
export type MattermostEvent =
  // Without a type in events that older versions have stored.
  | (ChatSubmission & { type?: 'news' })
  | SavedPost
  | { type: 'undo'; external_id: string }
  | { type: 'action'; action: ChatAction }

/** A message whose link a person has sent, to be saved. */
export interface SavedPost {
  type: 'saved'
  /** Its id. */
  post: string
  /** The link to it. */
  link: string
  block_type: BlockType
}

const EphemeralContext = v.object({
  /** When the request came. */
  since: v.string(),
  /** Where replies to a command are sent. */
  response_url: v.exactOptional(v.string()),
  /** The person who made the request. */
  user: v.exactOptional(v.string()),
  name: v.exactOptional(v.string()),
  /** What the server has signed about the person, where only that says who it is. */
  trigger: v.exactOptional(v.string()),
  /** The people whom a command thanks. */
  thanked: v.optional(v.array(v.string()), []),
  /** The id of the question to which the person replies. */
  prompt: v.exactOptional(v.string()),
  /** Whether a message shows the result of a button. */
  isShown: v.optional(v.boolean(), false),
})

/** The data that is needed to finish. It is stored encrypted and deleted when the delivery is settled. */
export type EphemeralContext = v.InferOutput<typeof EphemeralContext>

/** Reads the stored data; undefined after it was deleted. */
export const readEphemeralContext = (stored: unknown): EphemeralContext | undefined =>
  readStored(EphemeralContext, stored)

/** Who gets messages about an item: the person who sent it, and the people whom kudos thank. */
export function contributors({
  event,
  ephemeralContext,
}: ComposeContext<Settings, MattermostEvent>): Contributors | undefined {
  const sent = readEphemeralContext(ephemeralContext)
  if (!isNews(event) || sent?.user === undefined) return undefined
  const { user, thanked, prompt } = sent
  const others = new Set(thanked).difference(new Set([user]))
  return contributorsOf({ user, thanked: others, isPrivate: false, prompt })
}

/** Whether an event is something that a person wrote. */
const isNews = (event: MattermostEvent): event is ChatSubmission & { type?: 'news' } =>
  event.type === undefined || event.type === 'news'
