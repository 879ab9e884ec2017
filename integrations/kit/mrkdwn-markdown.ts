// What stays as it is: code, links that `parseMrkdwn` wrote, and addresses.
const literal = /```[\s\S]*?```|`[^`\n]+`|\[[^[\]\n]+\]\(https?:\/\/[^\s()]+\)|https?:\/\/[^\s<>]+/g

// Private-use characters stand for marks while the rest of the text is escaped.
const marks = [
  { pattern: emphasis('\\*'), open: '\ue001', markdown: '**' },
  { pattern: emphasis('_'), open: '\ue002', markdown: '_' },
  { pattern: emphasis('~'), open: '\ue003', markdown: '~~' },
]

/** Text between two marks on one line, which stand at the edges of words, as Slack has it. */
function emphasis(mark: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])${mark}(?=\\S)([^${mark}\\n]*[^\\s${mark}])${mark}(?![\\p{L}\\p{N}])`,
    'gu',
  )
}

/**
 * Slack's formatting as Markdown that shows the same: `*bold*` becomes `**bold**`, `•` a list item;
 * everything else that Markdown would read is escaped. Takes text that `parseMrkdwn` has read.
 */
export function mrkdwnToMarkdown(text: string): string {
  const kept: string[] = []
  const marked = marks.reduce(
    (words, { pattern, open }) => words.replace(pattern, `${open}$1${open}`),
    text.replace(/[\ue000-\ue003]/g, '').replace(literal, (whole) => {
      kept.push(whole)
      return '\ue000'
    }),
  )
  const lines = separateBlocks(marked.split('\n').map(lineToMarkdown)).join('\n')
  return marks
    .reduce((words, { open, markdown }) => words.replaceAll(open, markdown), lines)
    .replaceAll('\ue000', () => kept.shift() ?? '')
}

interface Line {
  kind: 'text' | 'list' | 'quote'
  text: string
}

function lineToMarkdown(line: string): Line {
  const [, indent = '', bullet] = /^(\s*)[•◦▪‣·-]\s+(.*)$/.exec(line) ?? []
  if (bullet !== undefined) return { kind: 'list', text: `${indent}- ${escapeMarkdown(bullet)}` }
  const [, number, item] = /^\s*(\d{1,3})[.)]\s+(.*)$/.exec(line) ?? []
  if (number !== undefined && item !== undefined)
    return { kind: 'list', text: `${number}. ${escapeMarkdown(item)}` }
  const [, quote] = /^\s*>{1,3}\s?(.*)$/.exec(line) ?? []
  if (quote !== undefined) return { kind: 'quote', text: `> ${escapeMarkdown(quote)}` }
  return { kind: 'text', text: escapeStart(escapeMarkdown(line.trim())) }
}

const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]<>|&~#]/g, '\\$&')

/** A line of text is no heading, list or rule. */
const escapeStart = (line: string) => line.replace(/^([+=-])/, '\\$1')

/** A blank line where a list or quote ends, or Markdown would add the next line to it. */
const separateBlocks = (lines: Line[]): string[] =>
  lines.flatMap(({ kind, text }, index) => {
    const before = lines[index - 1]?.kind ?? kind
    return before === kind ? [text] : ['', text]
  })
