import { Parser, Renderer, type Tokens, type TokensList } from 'marked'
import { maxBodyBytes, toNfc } from '../../../src/contract/text.ts'
import { htmlToText, urlLabel } from '../text/html.ts'
import { parseInline, parseMarkdown } from './markdown-parser.ts'

interface RenderOptions {
  /** Relative links are resolved against this URL. */
  base?: string | undefined
  /**
   * Size limit of the HTML in bytes. A longer text is cut in the Markdown, so that the HTML stays
   * valid.
   */
  maxBytes?: number
  /** Changes plain text before it is rendered. */
  text?: (words: string) => string
  /** Shows HTML as text, for chats in which tags are not markup. */
  escapeHtml?: boolean
  /** Called with the alternative text of each image that is removed; more than once for some. */
  onImage?: OnImage | undefined
  /** Called with the Markdown that is left out of a longer text. */
  onCut?: ((rest: string) => void) | undefined
}

type OnImage = (alt: string) => void

/**
 * Renders Markdown as HTML; empty when nothing is visible. Images and other media are removed,
 * because loading them would show their host who reads; other HTML stays, because ingest sanitizes it.
 */
export function renderMarkdown(
  markdown: string,
  { base, maxBytes = maxBodyBytes, text, escapeHtml = false, onImage, onCut }: RenderOptions = {},
): string {
  // Ingest normalizes the text, too, and some characters need more bytes in NFC.
  const source = toNfc(markdown)
  const footnotes = namesOfFootnotes(source)
  let length = Math.min(source.length, maxBytes)
  for (;;) {
    const kept = cutText(source, length)
    const tokens = parseMarkdown(kept, text)
    const html = renderTokens(tokens, { base, escapeHtml, onImage, footnotes })
    const marked = length === source.length || html === '' ? html : html + cutMark
    const bytes = Buffer.byteLength(marked)
    if (bytes <= maxBytes) {
      if (kept.length < source.length) onCut?.(source.slice(kept.length))
      return marked
    }
    // A little less than in proportion, so that few attempts are needed.
    length = Math.floor(length * Math.min(0.95, (maxBytes / bytes) * 0.98))
  }
}

/** The names of the footnotes of a text: of each line that begins as `[^1]: …`. */
const namesOfFootnotes = (source: string): ReadonlySet<string> =>
  new Set([...source.matchAll(/^ {0,3}\[\^([\w-]{1,40})\]:/gm)].map(([, name = '']) => name))

const cutMark = '\n<p>…</p>'

/** At most `length` UTF-16 units of a text, cut at the last line break or else space if one is near. */
export function cutText(source: string, length: number): string {
  if (length >= source.length) return source
  const head = source.slice(0, length)
  const end = [head.lastIndexOf('\n'), head.lastIndexOf(' ')].find((at) => at > length * 0.9)
  return end === undefined ? head.replace(/[\ud800-\udbff]$/, '') : head.slice(0, end)
}

interface TokenOptions extends Pick<RenderOptions, 'base' | 'escapeHtml' | 'onImage'> {
  footnotes: ReadonlySet<string>
}

/** Renders tokens as HTML. HTML that would hide the text after it is shown as text. */
function renderTokens(
  tokens: TokensList,
  { base, escapeHtml, onImage, footnotes }: TokenOptions,
): string {
  const render = (renderer: BodyRenderer) =>
    withoutMedia(parserWith(renderer).parse(tokens), base, onImage)
  const kept = escapeHtml ? undefined : render(new BodyRenderer(onImage, footnotes))
  const shown = kept ?? render(new EscapingRenderer(onImage, footnotes)) ?? ''
  // Linear and importers write a name in bold and a link to its message without a space between.
  const html = shown
    .replaceAll(/<p>\s*<\/p>\n?/g, '')
    .replaceAll('</strong><a ', '</strong> <a ')
    .trim()
  if (html.replace(/<[^>]*>/g, '').trim() === '') return ''
  // Ingest treats a text that does not begin with a tag as plain text.
  return html.startsWith('<') ? html : `<p>${html}</p>`
}

/** Renders one line of Markdown as HTML without a block element around it. */
export function renderInline(markdown: string, base?: string): string {
  const tokens = parseInline(toNfc(markdown))
  const kept = withoutMedia(new Parser(parserOptions(new BodyRenderer())).parseInline(tokens), base)
  return kept ?? Bun.escapeHTML(markdown)
}

/**
 * Renders Markdown as one plain line for a title: links as their labels, without the addresses of
 * pages and, at the end, without the words that lead to them.
 */
export function markdownLine(markdown: string): string {
  const html = parserWith(new TitleRenderer()).parse(parseMarkdown(markdown))
  const line = htmlToText(html).replace(/\s+/g, ' ')
  if (!line.includes(leftOut)) return line
  const words = line.replaceAll(addressInBrackets, '').replace(addressAtEnd, '')
  return words.replaceAll(leftOut, '').replace(/\s+/g, ' ').trim()
}

/** A private-use character in place of an address that is left out. */
const leftOut = '\ue014'
const leadToAddress = String.raw`(?:(?<![\p{L}\p{N}])(?:see|at|here|via|on|under|and|more|read|siehe|unter|hier|mehr|und)[\s:]+){0,4}`
const addressInBrackets = new RegExp(String.raw`(?<!\s)\s*\(${leadToAddress}\ue014\)`, 'giu')
const addressAtEnd = new RegExp(
  String.raw`(?<![\s,;:–-])[\s,;:–-]*${leadToAddress}\ue014[\s\ue014]*$`,
  'iu',
)

const parserOptions = (renderer: Renderer) => ({ gfm: true, breaks: true, renderer })

const parserWith = (renderer: Renderer) => new Parser(parserOptions(renderer))

class BodyRenderer extends Renderer {
  readonly #onImage: OnImage | undefined
  readonly #footnotes: ReadonlySet<string>

  constructor(onImage?: OnImage, footnotes: ReadonlySet<string> = new Set()) {
    super()
    this.#onImage = onImage
    this.#footnotes = footnotes
  }

  /** The name of a footnote is raised, in the text and before the note itself. */
  override text(token: Tokens.Text | Tokens.Escape): string {
    const html = super.text(token)
    if (this.#footnotes.size === 0) return html
    return html.replaceAll(/\[\^([\w-]{1,40})\]:?/g, (mark, name) =>
      this.#footnotes.has(name) ? `<sup>${name}</sup>` : mark,
    )
  }

  /** GitHub shows the mark of an alert, such as `[!NOTE]`, as an icon. */
  override blockquote(quote: Tokens.Blockquote): string {
    const html = super
      .blockquote(quote)
      .replace(alertMark, (mark, start) => (mark.endsWith('<br>') ? `${start}<p>` : start))
    return html === '<blockquote>\n</blockquote>\n' ? '' : html
  }

  /** Headings have one level, below the title of the block. */
  override heading({ tokens }: Tokens.Heading): string {
    return `<h3>${this.parser.parseInline(tokens)}</h3>\n`
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '✓ ' : '☐ '
  }

  override image({ text }: Tokens.Image): string {
    this.#onImage?.(text)
    return ''
  }

  override link(link: Tokens.Link): string {
    // An address such as core@1.2.3 is rarely a mailbox, and a mailbox is not for every reader.
    if (link.href.startsWith('mailto:')) return this.parser.parseInline(link.tokens)
    if (!isBare(link)) return super.link(link)
    return `<a href="${Bun.escapeHTML(link.href)}">${Bun.escapeHTML(urlLabel(link.href))}</a>`
  }
}

const alertMark = /^(<blockquote>\n)<p>\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION)\](?:<\/p>\n|<br>)/

/** Whether a link shows its own address. */
const isBare = ({ text, href }: Tokens.Link) => text === href || `http://${text}` === href

class EscapingRenderer extends BodyRenderer {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return Bun.escapeHTML(text)
  }
}

class TitleRenderer extends BodyRenderer {
  override link(link: Tokens.Link): string {
    if (!isBare(link)) return this.parser.parseInline(link.tokens)
    const isSite = URL.parse(link.href)?.pathname === '/'
    return isSite ? Bun.escapeHTML(urlLabel(link.href)) : leftOut
  }

  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return Bun.escapeHTML(text)
  }
}

// Elements that load other files or show no text of their own.
const media =
  'img, image, picture, video, audio, svg, math, iframe, object, embed, script, style, template, noscript, noembed, noframes, xmp, textarea, option, title'

const end = '<end-of-body></end-of-body>'

/** Returns `undefined` when an unfinished tag, comment or element would hide the text after it. */
function withoutMedia(
  html: string,
  base: string | undefined,
  onImage?: OnImage,
): string | undefined {
  let reachedEnd = false
  const clean = new HTMLRewriter()
    .on('img', { element: (image) => onImage?.(image.getAttribute('alt') ?? '') })
    .on(media, { element: (element) => void element.remove() })
    .on('a[href]', { element: (link) => resolveLink(link, base) })
    .on('end-of-body', {
      element: () => {
        reachedEnd = true
      },
    })
    .onDocument({ comments: (comment) => void comment.remove() })
    .transform(html + end)
  return reachedEnd && clean.endsWith(end) ? clean.slice(0, -end.length) : undefined
}

function resolveLink(link: HTMLRewriterTypes.Element, base: string | undefined) {
  const url = base === undefined ? null : URL.parse(link.getAttribute('href') ?? '', base)
  if (url !== null) link.setAttribute('href', url.href)
}
