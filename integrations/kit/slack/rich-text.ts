import * as v from 'valibot'
import { escapeForSlack } from '../markdown/mrkdwn.ts'
import { listOf, words } from './schema.ts'

// Rich text is the format of Slack's editor. Some apps use it, too. Shape:
// https://docs.slack.dev/reference/block-kit/blocks/rich-text-block

/** The maximum number of pieces in one part of a message. */
const maxPieces = 2000

const flag = v.fallback(v.optional(v.boolean(), false), false)
const Style = v.fallback(
  v.optional(v.object({ bold: flag, italic: flag, strike: flag, code: flag })),
  undefined,
)

const Piece = v.variant('type', [
  v.object({ type: v.literal('text'), text: words, style: Style }),
  v.object({ type: v.literal('link'), url: words, text: words }),
  v.object({ type: v.literal('user'), user_id: words }),
  v.object({ type: v.literal('channel'), channel_id: words }),
  v.object({ type: v.literal('usergroup'), usergroup_id: words }),
  v.object({ type: v.literal('broadcast'), range: words }),
  v.object({ type: v.literal('emoji'), name: words }),
  v.object({ type: v.literal('date'), fallback: words }),
])
type Piece = v.InferOutput<typeof Piece>

const pieces = v.optional(listOf(Piece, maxPieces), [])
const section = { elements: pieces }

const Part = v.variant('type', [
  v.object({ type: v.literal('rich_text_section'), ...section }),
  v.object({ type: v.literal('rich_text_quote'), ...section }),
  v.object({ type: v.literal('rich_text_preformatted'), ...section }),
  v.object({
    type: v.literal('rich_text_list'),
    style: words,
    indent: v.fallback(v.optional(v.number(), 0), 0),
    /** How many points are before it in the same list: a list in one of its points divides it. */
    offset: v.fallback(v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0), 0),
    elements: v.optional(listOf(v.object(section)), []),
  }),
])
type Part = v.InferOutput<typeof Part>

export const RichTextBlock = v.object({
  type: v.literal('rich_text'),
  elements: v.optional(listOf(Part), []),
})

/** A rich text block as mrkdwn, the markup of Slack's plain messages. */
export const richTextToMrkdwn = ({ elements }: v.InferOutput<typeof RichTextBlock>): string =>
  elements
    .map(partToMrkdwn)
    .map((text) => text.replace(/^\n+|(?<!\n)\n+$/g, ''))
    .join('\n')

function partToMrkdwn(part: Part): string {
  switch (part.type) {
    case 'rich_text_section':
      return sectionToMrkdwn(part.elements)
    case 'rich_text_quote':
      return sectionToMrkdwn(part.elements).replace(/^/gm, '> ')
    case 'rich_text_preformatted':
      return `\`\`\`\n${part.elements.map(plainPiece).join('')}\n\`\`\``
    case 'rich_text_list': {
      const indent = '    '.repeat(Math.min(Math.max(Math.trunc(part.indent), 0), 8))
      return part.elements
        .map(({ elements }, index) => {
          const mark = part.style === 'ordered' ? `${part.offset + index + 1}.` : '•'
          return `${indent}${mark} ${sectionToMrkdwn(elements)}`
        })
        .join('\n')
    }
  }
}

const sectionToMrkdwn = (elements: readonly Piece[]) => elements.map(pieceToMrkdwn).join('')

const plainPiece = (piece: Piece) =>
  piece.type === 'text' ? escapeForSlack(piece.text) : pieceToMrkdwn(piece)

function pieceToMrkdwn(piece: Piece): string {
  switch (piece.type) {
    case 'text':
      return styled(piece)
    case 'link':
      return piece.text ? `<${piece.url}|${escapeForSlack(piece.text)}>` : `<${piece.url}>`
    case 'user':
      return `<@${piece.user_id}>`
    case 'channel':
      return `<#${piece.channel_id}>`
    case 'usergroup':
      return `<!subteam^${piece.usergroup_id}>`
    case 'broadcast':
      return `<!${piece.range}>`
    case 'emoji':
      return `:${piece.name}:`
    case 'date':
      return escapeForSlack(piece.fallback)
  }
}

/**
 * Adds marks to a styled text. Marks are at the edges of words, so the spaces at its ends stay
 * outside.
 */
function styled({ text, style }: Extract<Piece, { type: 'text' }>): string {
  const escaped = escapeForSlack(text)
  const words = escaped.trim()
  if (style === undefined || words === '' || words.includes('\n')) return escaped
  const marks = [style.code && '`', style.strike && '~', style.italic && '_', style.bold && '*']
  const marked = marks.reduce<string>(
    (inner, mark) => (mark ? `${mark}${inner}${mark}` : inner),
    words,
  )
  return escaped.replace(words, () => marked)
}
