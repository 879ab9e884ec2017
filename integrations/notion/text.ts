import * as v from 'valibot'

/** A piece of text as Notion's API gives it. Of people mentioned in it, only the shown name is read. */
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

export const plainText = (pieces: RichText) => pieces.map(shownText).join('')

/** Text as HTML: escaped, with its emphasis and its links to the web. */
export const richTextHtml = (pieces: RichText) => pieces.map(pieceHtml).join('')

function pieceHtml(piece: Piece): string {
  const { annotations, href } = piece
  const tags = [
    annotations.code && 'code',
    annotations.strikethrough && 's',
    annotations.italic && 'em',
    annotations.bold && 'strong',
  ].filter((tag) => tag !== false)
  const text = Bun.escapeHTML(shownText(piece)).replaceAll('\n', '<br>')
  const html = tags.reduce((inner, tag) => `<${tag}>${inner}</${tag}>`, text)
  // Links between pages of a workspace are relative, and lead nowhere from a newsletter.
  return href !== null && /^(?:https?:\/\/|mailto:)/i.test(href)
    ? `<a href="${Bun.escapeHTML(href)}">${html}</a>`
    : html
}

/** A guest without a name is shown by the e-mail address, which is not ours to spread. */
function shownText({ plain_text, mention }: Piece): string {
  const text = plain_text.toWellFormed().replaceAll('\0', '').normalize('NFC')
  return mention?.type === 'user' && text.includes('@', 1) ? '@someone' : text
}
