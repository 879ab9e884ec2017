import * as v from 'valibot'
import { RichTextBlock } from './rich-text.ts'
import { listOf, words } from './schema.ts'

// The fields of Slack's messages that are read, and nothing more: no buttons and no channels. A part
// that is not as Slack documents it is skipped, since the rest of the message can be read. Shapes:
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
  /** The address in the message that this attachment is Slack's preview of. */
  from_url: words,
  /** Whether it is another message that was shared. */
  is_share: v.fallback(v.optional(v.boolean(), false), false),
})
export type Attachment = v.InferOutput<typeof Attachment>

/** https://docs.slack.dev/reference/objects/file-object */
const File = v.object({ name: words, title: words, permalink: words })
export type File = v.InferOutput<typeof File>

/** The parts of a Slack message that contain text. */
export const messageParts = {
  text: words,
  blocks: v.optional(listOf(Block), []),
  attachments: v.optional(listOf(Attachment), []),
  files: v.optional(listOf(File), []),
}

/** A message as Slack shows it, and as its incoming webhooks take it. */
export const SlackMessage = v.object({
  ...messageParts,
  /** The name that a tool posts under. */
  username: words,
})
export type SlackMessage = v.InferOutput<typeof SlackMessage>
