import * as v from 'valibot'
import { providerText } from '../kit/text.ts'

// The fields of Slack's messages that are read, and nothing more: no pictures, buttons or channels.
// What is not as Slack has it is passed over, since the rest of the message can still be news. Shapes:
// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
// https://docs.slack.dev/reference/block-kit/blocks

const words = v.fallback(v.optional(providerText, ''), '')
const textObject = v.fallback(v.optional(v.object({ text: words }), { text: '' }), { text: '' })

/** Slack takes 50 blocks and 100 attachments. */
const most = 100

/** The items of a list that can be read. */
const listOf = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.pipe(
    v.unknown(),
    v.transform((list) =>
      (Array.isArray(list) ? list : []).slice(0, most).flatMap((item) => {
        const { success, output } = v.safeParse(schema, item)
        return success ? [output] : []
      }),
    ),
  )

const Block = v.variant('type', [
  v.object({ type: v.literal('header'), text: textObject }),
  v.object({
    type: v.literal('section'),
    text: textObject,
    fields: v.optional(listOf(textObject), []),
  }),
  v.object({ type: v.literal('context'), elements: v.optional(listOf(textObject), []) }),
  v.object({ type: v.literal('markdown'), text: words }),
])
export type Block = v.InferOutput<typeof Block>

const Attachment = v.object({
  pretext: words,
  title: words,
  title_link: words,
  text: words,
  fallback: words,
  fields: v.optional(listOf(v.object({ title: words, value: words })), []),
  blocks: v.optional(listOf(Block), []),
})
export type Attachment = v.InferOutput<typeof Attachment>

/** A message in the format of Slack's incoming webhooks. */
export const Payload = v.object({
  text: words,
  /** The name the tool posts under. */
  username: words,
  blocks: v.optional(listOf(Block), []),
  attachments: v.optional(listOf(Attachment), []),
})
export type Payload = v.InferOutput<typeof Payload>
