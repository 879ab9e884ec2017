import { decode, htmlToMarkdown } from './html-to-markdown.ts'

// `<at>Tidings</at>`, or one for each word of a longer name.
const leadingMention =
  /^(?:\s|&nbsp;|<(?:p|div)\b[^<>]*>)*(?:<at\b[^<>]*>[^<>]*<\/at>(?:\s|&nbsp;)*)+/i

// Private-use characters replace the brackets of a link, and code, while the rest of the text is escaped.
const link = /<a\b(?=[^<>]*\bhref="(https?:[^"<>()\s]*)")[^<>]*>([^<]*(?:<(?!\/?a\b)[^<]*)*)<\/a>/gi

// A row of a table is a line of a list, because tables of chats have no headings.
const row = /<tr\b[^<>]*>([^<]*(?:<(?!\/?tr\b)[^<]*)*)<\/tr>/gi
const cellEnd = /<\/t[dh]>/i
const cellText = (cell: string) =>
  cell.replace(/<t[dh]\b[^<>]*>|<\/?(?:p|div|br)\b[^<>]*>/gi, '').trim()

// A block of code contains `<code>`, too.
const codeBlock =
  /<(?:codeblock|pre)\b[^<>]*>([^<]*(?:<(?!\/?(?:codeblock|pre)\b)[^<]*)*)<\/(?:codeblock|pre)>/gi
const inlineCode = /<code\b[^<>]*>([^<]*(?:<(?!\/?code\b)[^<]*)*)<\/code>/gi

/** Code as Markdown, in which nothing is escaped: several lines are a block. */
function codeToMarkdown(html: string): string {
  const lines = html.replace(/<br\b[^<>]*>|<\/(?:p|div)>(?=.)/gi, '\n').replace(/<[^<>]+>/g, '')
  const code = decode(lines)
    .replace(/^\s*\n/, '')
    .trimEnd()
  if (code.trim() === '') return ''
  let longest = 0
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  if (!code.includes('\n')) {
    const mark = '`'.repeat(longest + 1)
    return longest === 0 ? `${mark}${code}${mark}` : `${mark} ${code} ${mark}`
  }
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `\n\n${fence}\n${code}\n${fence}\n\n`
}

/**
 * The text after the mention of Tidings, as Markdown. Teams sends HTML: people as `<at>name</at>`,
 * emoji as pictures, lists, links, and `&nbsp;` and `&lt;` in its text.
 */
export function readText(text: string): string {
  const kept: string[] = []
  const keepCode = (_: string, html: string) => `\ue013${kept.push(codeToMarkdown(html)) - 1}\ue013`
  const html = text
    .replace(leadingMention, '')
    .replace(/[\ue010-\ue013]/g, '')
    .replace(codeBlock, keepCode)
    .replace(inlineCode, keepCode)
    .replace(
      row,
      (_, cells: string) =>
        `<li>${cells.split(cellEnd).map(cellText).filter(Boolean).join(' · ')}</li>`,
    )
    .replace(link, '\ue010$2\ue011$1\ue012')
  return htmlToMarkdown(html)
    .replaceAll('\ue010', '[')
    .replaceAll('\ue011', '](')
    .replaceAll('\ue012', ')')
    .replace(/\n{3,}/g, '\n\n')
    .replaceAll(/\ue013(\d+)\ue013/g, (_, at: string) => kept[Number(at)] ?? '')
}
