import * as v from 'valibot'
import { providerText } from '../text.ts'

// The fields of Slack's messages that are read, and nothing more: no names, pictures, buttons or
// channels. Shapes: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks,
// https://docs.slack.dev/reference/block-kit/blocks

const words = v.nullish(providerText, '')

/** A text object; `type` says whether it holds Slack's markup, which is read in both. */
const TextObject = v.object({ text: words })

const Block = v.variant('type', [
  v.object({ type: v.literal('header'), text: TextObject }),
  v.object({
    type: v.literal('section'),
    text: v.nullish(TextObject),
    fields: v.nullish(v.array(TextObject), []),
  }),
  // A picture among the elements has no text.
  v.object({
    type: v.literal('context'),
    elements: v.array(v.object({ text: v.optional(words) })),
  }),
  v.object({ type: v.literal('markdown'), text: words }),
])

/** Blocks of other kinds (pictures, buttons, dividers) say nothing that could be read. */
const AnyBlock = v.union([
  Block,
  v.pipe(
    v.object({ type: v.string() }),
    v.check(({ type }) => !['header', 'section', 'context', 'markdown'].includes(type)),
    v.transform(() => undefined),
  ),
])

const Attachment = v.object({
  pretext: words,
  title: words,
  title_link: words,
  text: words,
  fallback: words,
  fields: v.nullish(v.array(v.object({ title: words, value: words })), []),
  blocks: v.nullish(v.array(AnyBlock), []),
})

/** A message in the format of Slack's incoming webhooks. */
export const Payload = v.object({
  text: words,
  blocks: v.nullish(v.array(AnyBlock), []),
  attachments: v.nullish(v.array(Attachment), []),
})
export type Payload = v.InferOutput<typeof Payload>
