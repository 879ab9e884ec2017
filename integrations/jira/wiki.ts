// https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa?section=all
const blocks = /\{(?:code|noformat)(?::[^{}\n]*)?\}[\s\S]*?\{(?:code|noformat)\}/g
const macros = /\{(?:color|panel|quote|info|note|tip|warning|anchor)(?::[^{}\n]*)?\}/g

/** Jira's wiki markup as Markdown; code and the frames of panels are removed. */
export const wikiToMarkdown = (text: string): string =>
  text
    .replace(blocks, '')
    .replace(macros, '')
    .replace(/^h([1-6])\.[^\S\n]+/gm, (_, level: string) => `${'#'.repeat(Number(level))} `)
    .replace(/^bq\.[^\S\n]+/gm, '> ')
    .replace(/\{\{([^{}\n]+)\}\}/g, '`$1`')
    .replace(/\[([^[\]|\n]+)\|(https?:\/\/[^[\]|\s]+)(?:\|[^[\]\n]*)?\]/g, '[$1]($2)')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\p{L}\p{N}*])/gu, '**$1**')
