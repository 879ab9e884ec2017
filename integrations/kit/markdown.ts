import { Marked } from 'marked'
import { maxBodyBytes } from '../../src/contract/text.ts'

/** What an adapter has to tell about a piece of news. */
export interface MarkdownNews {
  /** The provider's own text, often missing. */
  markdown: string | null | undefined
  /** A plain sentence for when the Markdown shows nothing. */
  fallback: string
  /** A plain sentence to stand after the provider's text. */
  fact?: string | undefined
  /** Where to read on, if known; relative links in the Markdown are resolved against it. */
  url: string | undefined
  linkText: string
}

/**
 * The HTML body of a piece of news, never empty and never longer than ingest takes. Images and other
 * media are left out, since they tell their host who reads; other HTML inside the Markdown stays,
 * since ingest cleans it. A text that is too long is cut in the Markdown, so the HTML stays whole.
 */
export function renderMarkdownBody({
  markdown,
  fallback,
  fact,
  url,
  linkText,
}: MarkdownNews): string {
  const ending = [
    fact === undefined ? '' : paragraph(fact),
    url === undefined
      ? ''
      : `<p><a href="${Bun.escapeHTML(url)}">${Bun.escapeHTML(linkText)}</a></p>`,
  ].filter((part) => part !== '')
  const room = maxBodyBytes - Buffer.byteLength(ending.join('\n')) - 1
  const notes = htmlWithin(room, markdown ?? '', url)
  return [notes === '' ? paragraph(fallback) : notes, ...ending].join('\n')
}

const paragraph = (text: string) => `<p>${Bun.escapeHTML(text)}</p>`

const cutMark = '\n<p>…</p>'

function htmlWithin(maxBytes: number, markdown: string, base: string | undefined): string {
  // Ingest normalises too, and some characters take more bytes in NFC.
  const source = markdown.normalize('NFC')
  let length = Math.min(source.length, maxBytes)
  for (;;) {
    const html = render(shorten(source, length), base)
    const marked = length === source.length || html === '' ? html : html + cutMark
    if (Buffer.byteLength(marked) <= maxBytes) return marked
    length = Math.floor(length / 2)
  }
}

/** The first `length` UTF-16 units, back to the last line break when one is near. */
function shorten(source: string, length: number): string {
  if (length === source.length) return source
  const head = source.slice(0, length)
  const lineEnd = head.lastIndexOf('\n')
  return lineEnd > length / 2 ? head.slice(0, lineEnd) : head.replace(/[\ud800-\udbff]$/, '')
}

/** Empty when nothing of it would be seen. HTML that swallows what follows it is shown as text. */
function render(markdown: string, base: string | undefined): string {
  const kept = withoutMedia(parse(markdown, keepHtml), base)
  const html = (kept ?? withoutMedia(parse(markdown, showHtml), base) ?? '')
    .replaceAll('<p></p>\n', '')
    .trim()
  if (!showsText(html)) return ''
  // It has to begin with a tag, or ingest would take a bare sentence for plain text.
  return html.startsWith('<') ? html : `<p>${html}</p>`
}

function parse(markdown: string, marked: Marked): string {
  try {
    return marked.parse(markdown, { async: false })
  } catch {
    // marked recurses: a few thousand nested quotes exhaust the stack.
    return paragraph(markdown)
  }
}

// Beyond these sizes the work grows with the square of the text: marked looks for the other end of
// every "_" and "~" (11 s for 64 KiB of "_a *"), and fills each row of a table up to its full width.
const emphasisReach = 4096
const maxTableColumns = 20

function markedWith(html: (source: string) => string): Marked {
  return new Marked({
    // Code hosts show the line breaks of release notes as line breaks.
    breaks: true,
    // `undefined` finds no such thing here, `false` leaves it to marked.
    tokenizer: {
      emStrong: (source) => (source.length > emphasisReach ? undefined : false),
      del: (source) => (source.length > emphasisReach ? undefined : false),
      table: (source) => (columns(source) > maxTableColumns ? undefined : false),
    },
    renderer: { html: ({ text }) => html(text) },
  })
}

const columns = (source: string) => source.slice(0, source.indexOf('\n')).split('|').length

const keepHtml = markedWith((source) => source)
const showHtml = markedWith((source) => Bun.escapeHTML(source))

// What loads from elsewhere or shows no text of its own.
const media =
  'img, image, picture, video, audio, svg, math, iframe, object, embed, script, style, template, noscript, noembed, noframes, xmp, textarea, option, title'

const end = '<end-of-news></end-of-news>'

/** `undefined` when an unfinished tag, comment or element would swallow what comes after. */
function withoutMedia(html: string, base: string | undefined): string | undefined {
  let reachedEnd = false
  const clean = new HTMLRewriter()
    .on(media, { element: (element) => void element.remove() })
    .on('a[href]', { element: (link) => resolveLink(link, base) })
    .on('end-of-news', {
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

function showsText(html: string): boolean {
  const texts: string[] = []
  new HTMLRewriter().onDocument({ text: (chunk) => void texts.push(chunk.text) }).transform(html)
  return texts.some((text) => text.trim() !== '')
}
