import { oneLine } from '../text/fit-length.ts'
import { normalizeText } from '../text/plain-text.ts'
import type { Attachment, Block, File, SlackMessage } from './message.ts'
import { richTextToMrkdwn } from './rich-text.ts'

/**
 * Converts mrkdwn to the format of the caller, such as Markdown. Blocks of Markdown are not
 * converted.
 */
type Convert = (mrkdwn: string) => string

/**
 * The text of a message in the format of the caller; `undefined` when it has none. The text beside
 * blocks summarizes them where Slack cannot show blocks, so it is the title when there is no
 * header.
 */
export function readMessage(
  { text, blocks, attachments, files }: Omit<SlackMessage, 'username'>,
  convert: Convert,
): { title?: string; body: string } | undefined {
  const textOf = (block: Block) => textOfBlock(block, convert)
  const header = blocks.find(({ type }) => type === 'header')
  // A message that a person wrote contains its text twice: as mrkdwn and as rich text.
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

/** Slack's preview of a linked page is not part of the message; a shared message is. */
const isPartOfMessage = ({ from_url, is_share }: Attachment) => from_url === '' || is_share

const lines = (texts: string[], between = '\n') =>
  texts.filter((text) => oneLine(text) !== '').join(between)

const paragraphs = (texts: string[]) => lines(texts, '\n\n')

function textOfBlock(block: Block, convert: Convert): string {
  switch (block.type) {
    case 'header':
      return convert(block.text.text)
    case 'section':
      return lines([
        convert(block.text.text),
        ...block.fields.map(({ text }) => fieldOf(text, convert)),
      ])
    case 'context':
      return lines(block.elements.map(({ text }) => convert(text)))
    case 'markdown':
      return normalizeText(block.text)
    case 'rich_text':
      return convert(richTextToMrkdwn(block))
  }
}

/** A field, which apps write as a bold name above its value, as `name: value`. */
function fieldOf(mrkdwn: string, convert: Convert): string {
  const [, name = '', value = ''] = /^\*([^*\n]+?):?\*\s*\n(.+)$/s.exec(mrkdwn) ?? []
  return name === '' ? convert(mrkdwn) : lines([convert(name), convert(value)], ': ')
}

/**
 * The text of an attachment: everything that Slack shows, or the fallback when it shows nothing.
 */
function textOfAttachment(attachment: Attachment, convert: Convert): string {
  const { pretext, title, title_link, text, fallback, fields, blocks } = attachment
  const name = title ? labeledLink(title_link, title) : ''
  const pairs = fields.map((field) => lines([convert(field.title), convert(field.value)], ': '))
  const shown = lines([convert(pretext), convert(name), convert(text), ...pairs])
  const inBlocks = blocks.map((block) => textOfBlock(block, convert))
  return paragraphs([shown, ...inBlocks]) || convert(fallback)
}

/** The name of a file as a link to the file in Slack. */
const linkToFile = ({ name, title, permalink }: File, convert: Convert) =>
  convert(labeledLink(permalink, title || name))

const labeledLink = (address: string, label: string) =>
  label !== '' && /^https?:\/\/[^\s()<>|]+$/.test(address)
    ? `<${address}|${label.replace(/[<>|]/g, '')}>`
    : label
