import * as v from 'valibot'
import { RichTextBlock } from './rich-text.ts'
import { listOf, words } from './schema.ts'

// The fields of Slack's messages that are read: no buttons and no channels. A part without the
// documented shape is skipped, because the rest of the message can be read. Shapes:
// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
// https://docs.slack.dev/reference/block-kit/blocks

const textObject = v.fallback(v.optional(v.object({ text: words }), { text: '' }), { text: '' })

const Block = v.variant('type', [
  v.object({ type: v.literal('header'), text: textObject }),
  v.object({
    type: v.literal('section'),
    text: textObject,
    fields: v.optional(listOf(textObject), []),
  }),
  v.object({ type: v.literal('context'), elements: v.optional(listOf(textObject), []) }),
  v.object({ type: v.literal('markdown'), text: words }),
  RichTextBlock,
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
  /** The address in the message of which this attachment is Slack's preview. */
  from_url: words,
  /** Whether the attachment is a shared message. */
  is_share: v.fallback(v.optional(v.boolean(), false), false),
})
export type Attachment = v.InferOutput<typeof Attachment>

/** https://docs.slack.dev/reference/objects/file-object */
const File = v.object({
  id: words,
  name: words,
  title: words,
  mimetype: words,
  permalink: words,
  alt_txt: words,
})
export type File = v.InferOutput<typeof File>

/** The parts of a Slack message that contain text. */
export const messageParts = {
  text: words,
  blocks: v.optional(listOf(Block), []),
  attachments: v.optional(listOf(Attachment), []),
  files: v.optional(listOf(File), []),
}

/** A message in Slack and in a request to its incoming webhooks. */
export const SlackMessage = v.object({
  ...messageParts,
  /** The name under which a tool posts. */
  username: words,
})
export type SlackMessage = v.InferOutput<typeof SlackMessage>
