// https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
const blocks = /\{(?:code|noformat)(?::[^{}\n]*)?\}[\s\S]*?\{(?:code|noformat)\}/g
/** Removes blocks of code. Searches only up to the last end of a block: after it, each start would scan the rest of the text. */
function withoutCode(text: string): string {
  const lastEnd = Math.max(text.lastIndexOf('{code}'), text.lastIndexOf('{noformat}'))
  const end = lastEnd + '{noformat}'.length
  return text.slice(0, end).replace(blocks, '') + text.slice(end)
}

const macros = /\{(?:color|panel|quote|info|note|tip|warning|anchor)(?::[^{}\n]*)?\}/g

// Images, mentions of accounts, and marks whose text stays: inserted, raised, lowered and cited words.
const images =
  /(?<![\p{L}\p{N}!])!(?=\S)[^!|\n]{1,200}\.(?:png|jpe?g|gif|svg|webp)(?:\|[^!\n]{0,200})?!/giu
const accounts = /\[~[^\]\n]{1,200}\]/g
const plainMarks =
  /(?<![\p{L}\p{N}])(?:\+(?=\S)([^+\n]+)(?<=\S)\+|\^(?=\S)([^^\n]+)(?<=\S)\^|\?\?(?=\S)([^?\n]+)(?<=\S)\?\?)(?![\p{L}\p{N}])/gu
const struck = /(?<![\p{L}\p{N}-])-(?=[^\s-])([^-\n]+)(?<=\S)-(?![\p{L}\p{N}-])/gu
const icons: Record<string, string> = {
  '(/)': '✓',
  '(x)': '✗',
  '(!)': '⚠️',
  '(*)': '★',
  '(on)': '💡',
}

/** `#` and `*` at the start of a line, which begin points of lists at a depth. */
const listMarks = /^([*#]+)[^\S\n]+/gm

const listPoint = (marks: string): string =>
  `${'   '.repeat(marks.length - 1)}${marks.endsWith('#') ? '1.' : '-'} `

/** The head `||a||b||` of a table, and its rows `|a|b|`, as a table of Markdown. */
const withTables = (text: string): string =>
  text.replace(/^\|\|(.+?)\|\|[^\S\n]*$/gm, (_, head: string) => {
    const cells = head.split('||')
    return `\n| ${cells.join(' | ')} |\n|${cells.map(() => ' --- |').join('')}`
  })

/** Jira's wiki markup as Markdown; code and the frames of panels are removed. */
export const wikiToMarkdown = (text: string): string =>
  withTables(
    withoutCode(text)
      .replace(macros, '')
      .replace(/\{([*_+^-])\}/g, '$1'),
  )
    .replace(images, '')
    .replace(accounts, '')
    .replace(struck, '~~$1~~')
    .replace(plainMarks, '$1$2$3')
    .replace(/\((?:\/|x|!|\*|on)\)/g, (icon) => icons[icon] ?? icon)
    .replace(listMarks, (_, marks: string) => listPoint(marks))
    .replace(/^h([1-6])\.[^\S\n]+/gm, (_, level: string) => `${'#'.repeat(Number(level))} `)
    .replace(/^bq\.[^\S\n]+/gm, '> ')
    .replace(/\{\{([^{}\n]+)\}\}/g, '`$1`')
    .replace(/\[([^[\]|\n]+)\|(https?:\/\/[^[\]|\s]+)(?:\|[^[\]\n]*)?\]/g, '[$1]($2)')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\p{L}\p{N}*])/gu, '**$1**')
