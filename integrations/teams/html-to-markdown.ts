import { escapeMarkdown } from '../kit/markdown/escape-markdown.ts'
import { MarkdownWriter } from './markdown-writer.ts'

const marks: ReadonlyMap<string, string> = new Map([
  ['b', '**'],
  ['strong', '**'],
  ['i', '_'],
  ['em', '_'],
  ['s', '~~'],
  ['strike', '~~'],
  ['del', '~~'],
  ['code', '`'],
])

// Tags that are removed: their text stays.
const unformatted = [
  'at',
  'a',
  'span',
  'font',
  'u',
  'sub',
  'sup',
  'thead',
  'tbody',
  'tr',
  'td',
  'th',
  'hr',
  'pre',
  'codeblock',
  'attachment',
].map((tag): [string, string] => [tag, ''])

// The line breaks and the marks of lines for opening and closing tags. Other tags are shown as text.
const opening: ReadonlyMap<string, string> = new Map([
  ...unformatted,
  ['br', '\n'],
  ['p', ''],
  ['div', ''],
  ['blockquote', '\n\n> '],
  ['h1', '\n\n### '],
  ['h2', '\n\n### '],
  ['h3', '\n\n### '],
  ['table', '\n\n'],
])
const closing: ReadonlyMap<string, string> = new Map([
  ...unformatted,
  ['emoji', ''],
  ['img', ''],
  ['p', '\n'],
  ['div', '\n'],
  ['li', ''],
  ['blockquote', '\n\n'],
  ['h1', '\n\n'],
  ['h2', '\n\n'],
  ['h3', '\n\n'],
  ['table', '\n\n'],
])

/** HTML as Markdown. */
export function htmlToMarkdown(html: string): string {
  const writer = new MarkdownWriter()
  for (const [part] of html.matchAll(/<[^<>]+>|[^<]+|</g)) {
    const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(part) ?? []
    if (name === '') writer.write(escapeMarkdown(decode(part)))
    else if (slash === '') openElement(writer, name.toLowerCase(), part)
    else closeElement(writer, name.toLowerCase(), part)
  }
  return writer.text
}

function openElement(writer: MarkdownWriter, name: string, tag: string): void {
  const mark = marks.get(name)
  const separator = opening.get(name)
  if (mark !== undefined) writer.open(mark)
  else if (name === 'ul') writer.openList(null)
  else if (name === 'ol') writer.openList(Number(/\bstart="(\d{1,4})"/i.exec(tag)?.[1] ?? 1))
  else if (name === 'li') writer.openPoint()
  else if (name === 'img' || name === 'emoji') writer.write(escapeMarkdown(emojiOf(name, tag)))
  else if (separator !== undefined) writer.separate(separator)
  else writer.write(escapeMarkdown(tag))
}

function closeElement(writer: MarkdownWriter, name: string, tag: string): void {
  const mark = marks.get(name)
  const separator = closing.get(name)
  if (mark !== undefined) writer.close(mark)
  else if (name === 'ul' || name === 'ol') writer.closeList()
  else if (separator !== undefined) writer.separate(separator)
  else writer.write(escapeMarkdown(tag))
}

/** The character of a picture of an emoji. Teams describes every other picture as `image`. */
function emojiOf(name: string, tag: string): string {
  const alt = decode(/\balt="([^"]*)"/i.exec(tag)?.[1] ?? '')
  return name === 'img' && /\p{L}/u.test(alt) ? '' : alt
}

/** The character of a number such as `246` or `x1f389`; one that nobody can read stays as it is. */
function numbered(whole: string, number: string): string {
  const character = String.fromCodePoint(Number(number.replace(/^x/i, '0x')))
  return /[\p{Cc}\p{Cs}\p{Cn}\p{Co}]/u.test(character) ? whole : character
}

/** Text of HTML with its characters for `&nbsp;`, `&lt;` and the like. */
export const decode = (text: string): string =>
  text
    .replace(/&nbsp;|&#160;/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replace(/&#(\d{2,6}|x[\da-f]{2,5});/gi, numbered)
    // Last, so that nothing is decoded twice.
    .replaceAll('&amp;', '&')
