import { replaceEmojiCodes } from '../text.ts'

const fencedCode = /^(```|~~~)[\s\S]*?(?:^\1[^\S\n]*$|$(?![\s\S]))/gm

/**
 * Release notes as Markdown: headings and lists in HTML become Markdown, and lines without bullets that each
 * name a change become points. Code stays as it is.
 */
export function notesAsMarkdown(source: string): string {
  const parts: string[] = []
  let end = 0
  for (const { index, 0: code } of source.matchAll(fencedCode)) {
    parts.push(convert(source.slice(end, index)), code)
    end = index + code.length
  }
  return [...parts, convert(source.slice(end))].join('')
}

const convert = (text: string): string => withPoints(htmlAsMarkdown(text))

const blockTag = /<(?:h[1-6]|ul|ol|li)\b[^<>]*>/i

const tags: [RegExp, string | ((match: string, level: string) => string)][] = [
  [/^[^\S\n]+(?=<)/gm, ''],
  [/<h([1-6])\b[^<>]*>\s*/gi, (_, level) => `\n\n${'#'.repeat(Number(level))} `],
  [/(?<!\s)\s*<\/h[1-6]>/gi, '\n\n'],
  [/<li\b[^<>]*>\s*/gi, '\n- '],
  [/(?<!\s)\s*<\/li>/gi, ''],
  [/<\/?(?:ul|ol|p)\b[^<>]*>/gi, '\n\n'],
  [/<br\s*\/?>/gi, '\n'],
  [/<\/?(?:strong|b)>/gi, '**'],
  [/<\/?(?:em|i)>/gi, '_'],
  [/<\/?code>/gi, '`'],
  [/<a\b[^<>]*\bhref="(https?:[^"<>()\s]+)"[^<>]*>([^<[\]]*)<\/a>/gi, '[$2]($1)'],
]

/** Notes that have headings or lists in HTML as Markdown; others stay as they are. */
function htmlAsMarkdown(text: string): string {
  if (!blockTag.test(text)) return text
  return tags.reduce(
    (rest, [tag, markdown]) =>
      typeof markdown === 'string' ? rest.replace(tag, markdown) : rest.replace(tag, markdown),
    text,
  )
}

// `✨ Offline maps` (gitmoji.dev), `feat(maps): offline`, `New: offline maps`.
const changeLine =
  /^[^\S\n]*(?:\p{Extended_Pictographic}(?:\ufe0f|\u200d|\p{Extended_Pictographic})*\s+\S|(?:feat|feature|fix|bugfix|perf|refactor|chore|ci|build|tests?|docs?|style|revert|deps)(?:\([^()\n]{1,40}\))?!?:\s|(?:new|added?|fix(?:ed|es)?|improved?|changed?|removed?)\s*:\s)/iu

/** Paragraphs in which each line names a change as lists. */
const withPoints = (text: string): string =>
  text
    .split(/(\n[^\S\n]*\n)/)
    .map((part) => {
      const lines = replaceEmojiCodes(part)
        .split('\n')
        .filter((line) => line.trim() !== '')
      const isList = lines.length > 1 && lines.every((line) => changeLine.test(line))
      return isList ? lines.map((line) => `- ${line.trim()}`).join('\n') : part
    })
    .join('')
