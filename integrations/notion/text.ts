import * as v from 'valibot'
import { toNfc } from '../../src/contract/text.ts'
import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import { periodInWords } from '../kit/dates.ts'
import { replaceEmojiCodes } from '../kit/text/emoji-codes.ts'

/** A rich text in Notion's API. Of mentioned people, only the shown name is read. */
export const RichText = v.array(
  v.object({
    plain_text: v.string(),
    href: v.nullish(v.string(), null),
    annotations: v.optional(
      v.object({
        bold: v.optional(v.boolean(), false),
        italic: v.optional(v.boolean(), false),
        strikethrough: v.optional(v.boolean(), false),
        code: v.optional(v.boolean(), false),
      }),
      {},
    ),
    mention: v.optional(
      v.object({
        type: v.string(),
        date: v.optional(v.object({ start: v.string(), end: v.nullish(v.string(), null) })),
      }),
    ),
  }),
)
export type RichText = v.InferOutput<typeof RichText>
type Piece = RichText[number]

/** Text without its formatting. What Tidings adds is in `language`. */
export const plainText = (pieces: RichText, language: Language) =>
  pieces.map((piece) => shownText(piece, language)).join('')

/** Text as HTML: escaped, with its emphasis and its links to web pages. */
export const richTextHtml = (pieces: RichText, language: Language) =>
  pieces.map((piece) => pieceHtml(piece, language)).join('')

function pieceHtml(piece: Piece, language: Language): string {
  const { annotations, href } = piece
  const tags = [
    annotations.code && 'code',
    annotations.strikethrough && 's',
    annotations.italic && 'em',
    annotations.bold && 'strong',
  ].filter((tag) => tag !== false)
  const text = Bun.escapeHTML(shownText(piece, language)).replaceAll('\n', '<br>')
  const html = tags.reduce((inner, tag) => `<${tag}>${inner}</${tag}>`, text)
  // Links between pages of a workspace are relative and do not work in a newsletter.
  return href !== null && /^(?:https?:\/\/|mailto:)/i.test(href)
    ? `<a href="${Bun.escapeHTML(href)}">${html}</a>`
    : html
}

/** A piece as readers see it: mentions as names, dates in words, and no emoji of a workspace. */
function shownText({ plain_text, mention }: Piece, language: Language): string {
  const text = toNfc(plain_text.toWellFormed().replaceAll('\0', ''))
  switch (mention?.type) {
    case 'user':
      return nameOf(text) || formatMessage(language, 'someone', {})
    case 'date':
      return (mention.date && periodInWords(mention.date, language)) ?? text
    case 'custom_emoji':
      return replaceEmojiCodes(text)
    default:
      return text
  }
}

/** Notion uses the email address of a guest without a name. Readers must not see it. */
const nameOf = (text: string): string => (text.includes('@', 1) ? '' : text.replace(/^@/, ''))
