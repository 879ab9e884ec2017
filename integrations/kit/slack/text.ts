import { normalizeText, oneLine } from '../text.ts'
import type { Attachment, Block, File, SlackMessage } from './message.ts'
import { richTextToMrkdwn } from './rich-text.ts'

/** How the caller wants text in mrkdwn, such as as Markdown; blocks of Markdown are not converted. */
type Convert = (mrkdwn: string) => string

/**
 * The text of a message in the caller's format: `undefined` when it has none. The text beside blocks
 * sums them up where Slack cannot show them, so it is their title when they have no header.
 */
export function readMessage(
  { text, blocks, attachments, files }: Omit<SlackMessage, 'username'>,
  convert: Convert,
): { title?: string; body: string } | undefined {
  const textOf = (block: Block) => textOfBlock(block, convert)
  const header = blocks.find(({ type }) => type === 'header')
  // What people write has its text twice: as mrkdwn, and as rich text.
  const isWritten = text !== '' && blocks.every(({ type }) => type === 'rich_text')
  const inBlocks = isWritten
    ? ''
    : paragraphs(blocks.filter((block) => block !== header).map(textOf))
  const headline = header ? textOf(header) : inBlocks && convert(text)
  const own = inBlocks || convert(text)
  const shown = own === '' ? attachments : attachments.filter(isPartOfMessage)
  const body = paragraphs([
    own,
    ...shown.map((attachment) => textOfAttachment(attachment, convert)),
    lines(files.map((file) => linkToFile(file, convert))),
  ])
  const whole = body || headline
  if (oneLine(whole) === '') return undefined
  return { ...(headline !== '' && { title: headline.split('\n')[0] ?? '' }), body: whole }
}

/** Slack's preview of a page that the message links to is not part of it; a shared message is. */
const isPartOfMessage = ({ from_url, is_share }: Attachment) => from_url === '' || is_share

const lines = (texts: string[], between = '\n') =>
  texts.filter((text) => oneLine(text) !== '').join(between)

const paragraphs = (texts: string[]) => lines(texts, '\n\n')

function textOfBlock(block: Block, convert: Convert): string {
  switch (block.type) {
    case 'header':
      return convert(block.text.text)
    case 'section':
      return lines([block.text, ...block.fields].map(({ text }) => convert(text)))
    case 'context':
      return lines(block.elements.map(({ text }) => convert(text)))
    case 'markdown':
      return normalizeText(block.text)
    case 'rich_text':
      return convert(richTextToMrkdwn(block))
  }
}

/** The old way to write a message: everything that is shown, or the fallback where nothing is. */
function textOfAttachment(attachment: Attachment, convert: Convert): string {
  const { pretext, title, title_link, text, fallback, fields, blocks } = attachment
  const name = title ? labeledLink(title_link, title) : ''
  const pairs = fields.map((field) => lines([convert(field.title), convert(field.value)], ': '))
  const shown = lines([convert(pretext), convert(name), convert(text), ...pairs])
  const inBlocks = blocks.map((block) => textOfBlock(block, convert))
  return paragraphs([shown, ...inBlocks]) || convert(fallback)
}

/** The name of a file, which leads to the file in Slack. */
const linkToFile = ({ name, title, permalink }: File, convert: Convert) =>
  convert(labeledLink(permalink, title || name))

const labeledLink = (address: string, label: string) =>
  label !== '' && /^https?:\/\/[^\s()<>|]+$/.test(address)
    ? `<${address}|${label.replace(/[<>|]/g, '')}>`
    : label
