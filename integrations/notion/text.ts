import * as v from 'valibot'
import { toNfc } from '../../src/contract/text.ts'

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
    mention: v.optional(v.object({ type: v.string() })),
  }),
)
export type RichText = v.InferOutput<typeof RichText>
type Piece = RichText[number]

/** Text without its formatting. `unknownUser` replaces people who have no name. */
export const plainText = (pieces: RichText, unknownUser: string) =>
  pieces.map((piece) => shownText(piece, unknownUser)).join('')

/** Text as HTML: escaped, with its emphasis and its links to web pages. */
export const richTextHtml = (pieces: RichText, unknownUser: string) =>
  pieces.map((piece) => pieceHtml(piece, unknownUser)).join('')

function pieceHtml(piece: Piece, unknownUser: string): string {
  const { annotations, href } = piece
  const tags = [
    annotations.code && 'code',
    annotations.strikethrough && 's',
    annotations.italic && 'em',
    annotations.bold && 'strong',
  ].filter((tag) => tag !== false)
  const text = Bun.escapeHTML(shownText(piece, unknownUser)).replaceAll('\n', '<br>')
  const html = tags.reduce((inner, tag) => `<${tag}>${inner}</${tag}>`, text)
  // Links between pages of a workspace are relative and do not work in a newsletter.
  return href !== null && /^(?:https?:\/\/|mailto:)/i.test(href)
    ? `<a href="${Bun.escapeHTML(href)}">${html}</a>`
    : html
}

/** Notion uses the email address of a guest without a name. Readers must not see it. */
function shownText({ plain_text, mention }: Piece, unknownUser: string): string {
  const text = toNfc(plain_text.toWellFormed().replaceAll('\0', ''))
  return mention?.type === 'user' && text.includes('@', 1) ? unknownUser : text
}
