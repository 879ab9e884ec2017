import { Parser } from 'htmlparser2'
import { paragraph } from '../kit/item.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { cellEnd, htmlToText } from '../kit/text/html.ts'
import { fitsBody } from '../kit/text/plain-text.ts'

const maxTeaserCharacters = 600

// What blogs add to their summaries: `[…]`, `Continue reading →`, `The post … appeared first on …`.
const additions = [
  /\s*(?:\[\s*(?:…|\.{3})\s*\])\s*$/u,
  /\s*(?:continue reading|read more|read the (?:full|whole) (?:article|post|story)|weiterlesen|mehr lesen|lire la suite)[^\n.!?]{0,80}$/iu,
]
const appearedFirst =
  /^(?:(?:the post .{1,300} appeared first on|der beitrag .{1,300} erschien zuerst auf) .{1,200}|(?:this (?:post|article|story) was )?originally (?:published|appeared) (?:at|on|in) .{1,200})$/iu

/** The first paragraphs of a text, at most about 600 characters, as HTML. */
export function teaser(text: string): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((one) => (elementOf(one) ? one : withoutAdditions(words(one))))
    .filter((one) => one !== '' && !appearedFirst.test(one))
  const kept: string[] = []
  let left = maxTeaserCharacters
  for (const one of paragraphs) {
    if (kept.length > 0 && one.length > left) break
    kept.push(elementOf(one) ?? paragraph(shortened(one)))
    left -= one.length
  }
  return kept.join('\n')
}

const words = (text: string, max = Number.POSITIVE_INFINITY): string =>
  oneLine(text.replaceAll(cellEnd, ' '), max)

const maxItems = 8

/** A paragraph that is a list or a table as HTML; undefined for another one. */
function elementOf(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return list('ul', /^\s*[*•]\s+(\S.*)$/, lines) ?? numbered(lines) ?? tableHtml(lines)
}

/**
 * A numbered list: each number is the next one, and the first is 1, or the lines are indented, as those of `<ol>` are.
 * A single line that begins with a number is a sentence, and lines such as `24. Dezember: …` are dates.
 */
function numbered(lines: readonly string[]): string | undefined {
  const numbers = lines.map((line) => Number(/^\s*(\d{1,4})\./.exec(line)?.[1]))
  const [first = 0, ...next] = numbers
  // The first line has lost its indentation where it begins the text.
  const isList = first === 1 || lines.slice(1).every((line) => /^\s/.test(line))
  if (next.length === 0 || !isList || next.some((number, at) => number !== first + at + 1))
    return undefined
  const items = list('ol', /^\s*\d{1,4}\.\s+(\S.*)$/, lines)
  return first === 1 ? items : items?.replace('<ol>', `<ol start="${first}">`)
}

/** The first points of a list, each of at most 600 characters; undefined when a line is not a point. */
function list(tag: 'ul' | 'ol', point: RegExp, lines: readonly string[]): string | undefined {
  const items = lines.flatMap((line) => point.exec(line)?.[1] ?? [])
  if (items.length === 0 || items.length < lines.length) return undefined
  return `<${tag}>${htmlOf('li', items.slice(0, maxItems))}</${tag}>`
}

/** The first rows of a table; undefined when a line is not a row, or there is only one. */
function tableHtml(lines: readonly string[]): string | undefined {
  if (lines.length < 2 || !lines.every((line) => line.endsWith(cellEnd))) return undefined
  const rows = lines.slice(0, maxItems).map((line) => line.slice(0, -1).split(cellEnd))
  if (rows.every((cells) => cells.length === 1)) return undefined
  return `<table>${rows.map((cells) => `<tr>${htmlOf('td', cells)}</tr>`).join('')}</table>`
}

const htmlOf = (tag: string, texts: readonly string[]): string =>
  texts
    .map((text) => `<${tag}>${Bun.escapeHTML(words(text, maxTeaserCharacters))}</${tag}>`)
    .join('')

function withoutAdditions(line: string): string {
  const shorter = additions.reduce((text, addition) => {
    const kept = text.replace(addition, '')
    return kept === text ? text : `${kept.replace(/(?<![\s.…:])[\s.…:]+$/u, '')}…`
  }, line)
  return shorter === '…' ? '' : shorter
}

/** At most 600 characters, to the end of a sentence where one is near. */
function shortened(line: string): string {
  if (line.length <= maxTeaserCharacters) return line
  const start = line.slice(0, maxTeaserCharacters)
  const sentence = Math.max(...['. ', '! ', '? ', '。'].map((end) => start.lastIndexOf(end)))
  return sentence > maxTeaserCharacters / 2
    ? start.slice(0, sentence + 1)
    : oneLine(line, maxTeaserCharacters)
}

// What blogs add around a text: buttons to share it, links to other texts.
const addedClass =
  /(?:^|[\s_-])(?:sharedaddy|share|social|addtoany|related|subscribe|screen-reader-text)(?=$|[\s_-])/
const onlyLink = /<p\b[^<>]*>\s*<a\b(?=[^<>]*\bhref="([^"<>]*)")[^<>]*>[^<]*<\/a>\s*<\/p>\s*/gi

/** The HTML of a text without what its page adds, and without links to the page itself. */
export function withoutPageParts(html: string, page: string | undefined): string {
  const text = withoutElements(
    html,
    (name, { class: classes = '' }) => name === 'figcaption' || addedClass.test(classes),
  )
  return withoutLastHeading(
    text.replace(onlyLink, (paragraph, href: string) => (isPage(href, page) ? '' : paragraph)),
  )
}

/** A text without the heading at its end, under which nothing is left. */
function withoutLastHeading(html: string): string {
  const end = html.trimEnd()
  const at = end.search(/<h[1-6]\b[^<>]*>[^<]*(?:<(?!\/?h[1-6]\b)[^<]*)*<\/h[1-6]>$/i)
  return at < 0 ? end : end.slice(0, at)
}

type Attributes = Record<string, string>

/** What is deeper in a text stays as it is: the time of the parser grows with the depth. */
const maxDepth = 200

/** HTML without the elements that match; one that is not closed stays. */
function withoutElements(
  html: string,
  matches: (name: string, attributes: Attributes) => boolean,
): string {
  const kept: string[] = []
  let [keptUntil, depth, start, inside] = [0, 0, 0, 0]
  const parser = new Parser({
    onopentag(name, attributes) {
      depth += 1
      if (depth > maxDepth) return parser.pause()
      if (inside > 0 || !matches(name, attributes)) return
      start = parser.startIndex
      inside = depth
    },
    onclosetag(_, isImplied) {
      if (depth === inside) {
        if (!isImplied) {
          kept.push(html.slice(keptUntil, start))
          keptUntil = parser.endIndex + 1
        }
        inside = 0
      }
      depth -= 1
    },
  })
  parser.write(html)
  parser.end()
  return [...kept, html.slice(keptUntil)].join('')
}

const isPage = (href: string, page: string | undefined): boolean => {
  const [link, own] = [URL.parse(href.replaceAll('&amp;', '&')), URL.parse(page ?? '')]
  return link !== null && link.origin === own?.origin && link.pathname === own.pathname
}

/** A text without the title of its entry at its start, unless it is all that the text says. */
export function withoutTitleAtStart(text: string, title: string): string {
  const start = text.trimStart()
  if (title === '' || !start.toLowerCase().startsWith(title.toLowerCase())) return text
  const rest = start.slice(title.length)
  return /^\s*(?:[.!?:–—-]\s*)?$/.test(rest) || !/^(?:[.!?:–—-]\s|\s*\n)/.test(rest)
    ? text
    : rest.replace(/^[\s.!?:–—-]+/, '')
}

/** Plain text as HTML, paragraph by paragraph. */
export const textToHtml = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .filter((one) => one.trim() !== '')
    .map((one) => paragraph(oneLine(one, Number.POSITIVE_INFINITY)))
    .join('\n')

const footer =
  /<p>\s*(?:The post|Der Beitrag)\s(?:(?!<\/p>)[\s\S]){1,2000}(?:appeared first on|erschien zuerst auf)(?:(?!<\/p>)[\s\S]){1,1000}<\/p>\s*$/i

/** A whole text as a body; undefined when it is too long for one, or has no words, such as a video. */
export function fullText(html: string): string | undefined {
  const body = html.trim()
  if (!fitsBody(body) || htmlToText(body).trim() === '') return undefined
  const at = body.lastIndexOf('<p>')
  return at >= 0 && footer.test(body.slice(at)) ? body.slice(0, at).trim() : body
}
