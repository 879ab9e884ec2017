import { mrkdwnToText } from '../kit/mrkdwn.ts'
import { mrkdwnToMarkdown } from '../kit/mrkdwn-markdown.ts'
import { normalizeText, oneLine } from '../kit/text.ts'
import type { Attachment, Block, Payload } from './payload.ts'

/**
 * What a message says, as Markdown: `undefined` when there is no text in it. The text beside
 * blocks sums them up where Slack cannot show them, so it is their title when they have no header.
 */
export function readMessage({
  text,
  blocks,
  attachments,
}: Payload): { title?: string; body: string } | undefined {
  const header = blocks.find(({ type }) => type === 'header')
  const inBlocks = paragraphs(blocks.filter((block) => block !== header).map(textOfBlock))
  const headline = header ? textOfBlock(header) : inBlocks && plain(text)
  const body = paragraphs([inBlocks || plain(text), ...attachments.map(textOfAttachment)])
  const whole = body || headline
  if (oneLine(whole) === '') return undefined
  return { ...(headline !== '' && { title: headline.split('\n')[0] ?? '' }), body: whole }
}

const plain = (text: string) => mrkdwnToMarkdown(normalizeText(mrkdwnToText(text)))

const linesOf = (texts: string[], between = '\n') =>
  texts.filter((text) => oneLine(text) !== '').join(between)

const paragraphs = (texts: string[]) => linesOf(texts, '\n\n')

function textOfBlock(block: Block): string {
  switch (block.type) {
    case 'header':
      return plain(block.text.text)
    case 'section':
      return linesOf([block.text, ...block.fields].map(({ text }) => plain(text)))
    case 'context':
      return linesOf(block.elements.map(({ text }) => plain(text)))
    case 'markdown':
      return normalizeText(block.text)
  }
}

/** The old way to write a message: everything that is shown, or the fallback where nothing is. */
function textOfAttachment(attachment: Attachment): string {
  const { pretext, title, title_link, text, fallback, fields, blocks } = attachment
  const name =
    /^https?:\/\/[^\s()<>|]+$/.test(title_link) && title ? `<${title_link}|${title}>` : title
  const pairs = fields.map((field) => linesOf([plain(field.title), plain(field.value)], ': '))
  const shown = linesOf([plain(pretext), plain(name), plain(text), ...pairs])
  return paragraphs([shown, ...blocks.map(textOfBlock)]) || plain(fallback)
}
