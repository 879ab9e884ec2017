import { linesToMarkdown } from './mrkdwn-lines.ts'

// Parts that stay unchanged: code, links that `parseMrkdwn` wrote, and addresses.
const literal = /```[\s\S]*?```|`[^`\n]+`|\[[^[\]\n]+\]\(https?:\/\/[^\s()]+\)|https?:\/\/[^\s<>]+/g

// Private-use characters replace the marks while the rest of the text is escaped.
const marks = [
  { pattern: emphasis('\\*'), open: '\ue001', markdown: '**' },
  { pattern: emphasis('_'), open: '\ue002', markdown: '_' },
  { pattern: emphasis('~'), open: '\ue003', markdown: '~~' },
]

/**
 * Text between two marks on one line. The marks are at the edges of words, as in Slack. `**` and `***` count as
 * one mark, because people also write Markdown; `__init__` is a name.
 */
function emphasis(mark: string): RegExp {
  const many = mark === '_' ? mark : `${mark}{1,3}`
  const edge = `[\\p{L}\\p{N}${mark}]`
  return new RegExp(
    `(?<!${edge})${many}(?=\\S)([^${mark}\\n]*[^\\s${mark}])${many}(?!${edge})`,
    'gu',
  )
}

/**
 * Slack's formatting as equivalent Markdown: `*bold*` becomes `**bold**` and `•` a list item; all
 * other characters with a meaning in Markdown are escaped. `text` is the result of `parseMrkdwn`.
 */
export function mrkdwnToMarkdown(text: string): string {
  const kept: string[] = []
  const marked = marks.reduce(
    (words, { pattern, open }) => words.replace(pattern, `${open}$1${open}`),
    fencedCode(quoteToEnd(text.replace(/[\ue000-\ue003]/g, ''))).replace(literal, (whole) => {
      kept.push(whole)
      return '\ue000'
    }),
  )
  const lines = linesToMarkdown(marked.split('\n')).join('\n')
  return marks
    .reduce((words, { open, markdown }) => words.replaceAll(open, markdown), lines)
    .replaceAll('\ue000', () => kept.shift() ?? '')
}

/** `>>>` quotes all lines after it, in Slack and in Discord; Markdown has a mark for each line. */
export const quoteToEnd = (text: string): string =>
  text.replace(
    /(^|\n)[^\S\n]*>>>[^\S\n]*([\s\S]*)$/,
    (_, start: string, quote: string) => `${start}${quote.trim().replace(/^/gm, '> ')}`,
  )

/**
 * Code of several lines with its marks on lines of their own, as Markdown has it: chats accept code and text
 * beside the marks. With `hasLanguage`, a word beside the first mark is the language, as in Discord.
 */
export const fencedCode = (text: string, { hasLanguage = false } = {}): string =>
  text.replaceAll(/(?<!`)```([^`]+)```(?!`)/g, (whole, content: string, at: number) => {
    // Before the lines around it are read, or one line with much code would be read for each.
    if (!content.includes('\n')) return whole
    const end = text.indexOf('\n', at + whole.length)
    const before = text.slice(text.lastIndexOf('\n', at) + 1, at).trim()
    const after = text.slice(at + whole.length, end === -1 ? undefined : end).trim()
    if (before.startsWith('>')) return whole
    const code = (hasLanguage ? content.replace(/^[\w+-]+\n/, '') : content)
      .replace(/^[^\S\n]*\n/, '')
      .trimEnd()
    return `${before && '\n'}\`\`\`\n${code}\n\`\`\`${after && '\n'}`
  })
