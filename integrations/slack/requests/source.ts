import * as v from 'valibot'
import type { RawRequest } from '../../kit/requests/received.ts'
import { strictUtf8 } from '../../kit/requests/webhook-request.ts'
import { parseFields } from '../events/event.ts'
import { readNotes } from './forms/modal.ts'

const prefix = 'source:'

const Source = v.object({
  channel_id: v.optional(v.string()),
  channel: v.optional(v.object({ id: v.string() })),
  event: v.optional(
    v.object({
      // Events about a channel have an object here.
      channel: v.fallback(v.optional(v.string()), undefined),
      item: v.optional(v.object({ channel: v.optional(v.string()) })),
    }),
  ),
  view: v.optional(v.object({ private_metadata: v.optional(v.string(), '') })),
  actions: v.optional(v.array(v.object({ block_id: v.optional(v.string()) }))),
})

/**
 * The channel in which a person uses the app. A form and the Undo button name the channel in which they
 * began, because Slack does not repeat it. Events of the conversation with the app, and of its home, have no
 * source. The request is not verified yet.
 */
export function sourceOf({ headers, body }: RawRequest): string | undefined {
  const fields = parseFields(headers.get('content-type'), strictUtf8(body) ?? '')
  const parsed = v.safeParse(Source, fields)
  if (!parsed.success) return undefined
  const { actions, view, channel_id, channel, event } = parsed.output
  const blockId = actions?.[0]?.block_id
  if (blockId?.startsWith(prefix)) return blockId.slice(prefix.length)
  const notes = readNotes(view?.private_metadata ?? '')
  const used = notes.source ?? notes.channel ?? channel_id ?? channel?.id ?? event?.item?.channel
  if (used !== undefined) return used
  return event?.channel?.startsWith('D') ? undefined : event?.channel
}

/** The id of a block of buttons, which Slack sends back with a click. */
export const sourceBlockId = (source: string | undefined) =>
  source === undefined ? {} : { block_id: prefix + source }
