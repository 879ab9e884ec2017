import * as v from 'valibot'
import { flatten } from '../mrkdwn.ts'
import { providerText, tidy } from '../text.ts'

const text = v.fallback(v.optional(providerText, ''), '')
const textObject = v.fallback(v.optional(v.object({ text }), { text: '' }), { text: '' })
const most = 50

/** A list of which only what fits is read; Slack itself takes at most 50 blocks. */
const listOf = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(
    v.optional(
      v.pipe(
        v.array(v.unknown()),
        v.transform((items) =>
          items.slice(0, most).flatMap((item) => {
            const { success, output } = v.safeParse(schema, item)
            return success ? [output] : []
          }),
        ),
      ),
      [],
    ),
    [],
  )

const Block = v.object({
  type: text,
  text: textObject,
  fields: listOf(v.object({ text })),
  elements: listOf(v.object({ text })),
})
const Attachment = v.object({ pretext: text, title: text, text, fallback: text })

/**
 * What is read of a message in the format of Slack's incoming webhooks, and nothing more.
 * Source: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export const Message = v.object({
  text,
  username: text,
  blocks: listOf(Block),
  attachments: listOf(Attachment),
})
type Message = v.InferOutput<typeof Message>

const wordyBlocks = new Set(['header', 'section', 'context'])

/** The words of a message in plain lines: its blocks where it has any, else its text, then attachments. */
export function wordsOf({ text, blocks, attachments }: Message): string {
  const inBlocks = blocks
    .filter(({ type }) => wordyBlocks.has(type))
    .flatMap((block) => [block.text, ...block.fields, ...block.elements].map((part) => part.text))
  const inAttachments = attachments.flatMap((one) => {
    const words = [one.pretext, one.title, one.text].filter((line) => line !== '')
    return words.length > 0 ? words : [one.fallback]
  })
  // Slack shows `text` only in notifications once there are blocks.
  const lines = [...(inBlocks.some((line) => line !== '') ? inBlocks : [text]), ...inAttachments]
  return tidy(
    lines
      .filter((line) => line !== '')
      .map(flatten)
      .join('\n'),
  )
}
