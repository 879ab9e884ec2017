import type { ChatNews } from '../chat.ts'
import { flatten } from '../mrkdwn.ts'
import { oneLine, tidy, titleOf } from '../text.ts'
import type { Payload } from './payload.ts'

type Block = Payload['blocks'][number]
type Attachment = Payload['attachments'][number]

/**
 * What a message says, without Slack's markup: `undefined` when there is no text in it. The text beside
 * blocks sums them up where Slack cannot show them, so it is their title when they have no header.
 */
export function readMessage({
  text,
  blocks,
  attachments,
}: Payload): Pick<ChatNews, 'title' | 'body'> | undefined {
  const header = blocks.find((block) => block?.type === 'header')
  const inBlocks = paragraphs(blocks.filter((block) => block !== header).map(textOfBlock))
  const body = paragraphs([inBlocks || plain(text), ...attachments.map(textOfAttachment)])
  const headline = header?.text.text ?? (inBlocks && titleOf(plain(text)))
  const title = oneLine(plain(headline))
  if (oneLine(body) !== '') return { body, ...(title && { title }) }
  return title === '' ? undefined : { title, body: title }
}

const plain = (text: string) => tidy(flatten(text))

const paragraphs = (texts: string[]) => texts.filter((text) => oneLine(text) !== '').join('\n\n')

const lines = (texts: string[]) => texts.filter((text) => oneLine(text) !== '').join('\n')

function textOfBlock(block: Block): string {
  switch (block?.type) {
    case 'header':
      return plain(block.text.text)
    case 'section':
      return lines([block.text?.text ?? '', ...block.fields.map(({ text }) => text)].map(plain))
    case 'context':
      return lines(block.elements.map(({ text }) => plain(text ?? '')))
    case 'markdown':
      return plain(block.text)
    case undefined:
      return ''
  }
}

/** The old way to write a message: everything that is shown, or the fallback where nothing is. */
function textOfAttachment(attachment: Attachment): string {
  const { pretext, title, title_link, text, fallback, fields, blocks } = attachment
  const heading = /^https?:/.test(title_link) ? `${plain(title)} (${title_link})` : plain(title)
  const pairs = fields.map((field) => lines([plain(field.title), plain(field.value)]))
  const shown = lines([
    plain(pretext),
    title && heading,
    plain(text),
    ...pairs.map((pair) => pair.replace('\n', ': ')),
  ])
  return paragraphs([shown, ...blocks.map(textOfBlock)]) || plain(fallback)
}
