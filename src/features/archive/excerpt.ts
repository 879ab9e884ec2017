/** A part of a text; `isMatch` for the words that were searched for. */
export interface ExcerptPart {
  text: string
  isMatch: boolean
}

const charactersBefore = 80
const charactersAfter = 160

const searchedWord = /[\p{L}\p{N}\p{M}]+/gu
// Scripts that are written without spaces; a search finds their words also within others.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

// The plain text of an email has the address of a link in brackets after its words, lines of links such as
// `Read more: https://…`, and lines below headings.
const notProse =
  /(?<=^|\n)\p{L}[\p{L} ]{0,40}: https?:\/\/\S+(?=\n|$)| ?\[https?:\/\/[^\s\]]+\]|https?:\/\/\S+|(?<=\s)(?:[-=]{3,}|\* \* \*|[*>|])(?=\s)/gu

/** The end of a heading or another paragraph without a full stop, up to the next paragraph. */
const unfinishedEnd = /(?<=[^\s.!?…:;,。！？])[^\S\n]*\n[^\S\n]*\n\s*(?=\S)/g

/**
 * The part of a sent newsletter around the first searched word, with all searched words in it marked;
 * null when the text below the title contains none of them as it was typed.
 */
export function excerptAround(
  { title, text }: { title: string; text: string },
  query: string,
): ExcerptPart[] | null {
  const words = query.match(searchedWord)
  if (!words) return null
  const found = anyOf(words)
  const prose = (text.startsWith(title) ? text.slice(title.length) : text)
    .replaceAll(notProse, '')
    .replaceAll(unfinishedEnd, ' · ')
    .replaceAll(/\s+/g, ' ')
  const first = prose.search(found)
  if (first === -1) return null
  const start = wordStart(prose, first - charactersBefore)
  const end = wordEnd(prose, first + charactersAfter)
  const shown = prose.slice(start, end).replace(/^[ ·]+|[ ·]+$/g, '')
  const ellipsis = (isCut: boolean) => (isCut ? [{ text: '…', isMatch: false }] : [])
  return [...ellipsis(start > 0), ...split(shown, found), ...ellipsis(end < prose.length)]
}

/** Longer words are first, so that a word is marked as a whole. */
function anyOf(words: readonly string[]): RegExp {
  const longest = words.toSorted((one, other) => other.length - one.length)
  const patterns = longest.map((word) =>
    unspaced.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`,
  )
  return new RegExp(patterns.join('|'), 'giu')
}

/** The start of the word at a position; the position itself where no space is near. */
function wordStart(text: string, at: number): number {
  if (at <= 0) return 0
  const space = text.indexOf(' ', at)
  return space !== -1 && space - at < 30 ? space + 1 : wholeCharacter(text, at)
}

function wordEnd(text: string, at: number): number {
  if (at >= text.length) return text.length
  const space = text.lastIndexOf(' ', at)
  return space !== -1 && at - space < 30 ? space : wholeCharacter(text, at)
}

/** A position that does not divide a surrogate pair. */
const wholeCharacter = (text: string, at: number): number =>
  /[\udc00-\udfff]/.test(text.charAt(at)) ? at + 1 : at

function split(text: string, found: RegExp): ExcerptPart[] {
  const parts: ExcerptPart[] = []
  let at = 0
  for (const { 0: match, index } of text.matchAll(found)) {
    if (index > at) parts.push({ text: text.slice(at, index), isMatch: false })
    parts.push({ text: match, isMatch: true })
    at = index + match.length
  }
  return at < text.length ? [...parts, { text: text.slice(at), isMatch: false }] : parts
}
