import { Lexer, Marked, type Token, type Tokens } from 'marked'
import type { IntegrationPage } from '../features/connections/index.ts'
import { sanitizeHtml } from '../lib/html/sanitize-html.ts'

/** Reads the parts of an integration's README that the console shows. */
export function readGuide(markdown: string): IntegrationPage {
  const tokens = new Lexer().lex(markdown)
  const summary = tokens.find((token) => token.type === 'paragraph')
  return {
    summary: summary ? plainText(summary) : '',
    guide: sanitizeHtml(html.parser(sectionOf(tokens, 'Set-up'))),
    hints: new Map(tokens.filter(isTable).filter(isOfSettings).flatMap(hintsOf)),
  }
}

/** The tokens under a heading, up to the next heading of the same level. */
function sectionOf(tokens: Token[], title: string): Token[] {
  const isHeading = (token: Token) => token.type === 'heading' && token['depth'] === 2
  const start = tokens.findIndex((token) => isHeading(token) && plainText(token) === title)
  if (start < 0) return []
  const rest = tokens.slice(start + 1)
  const end = rest.findIndex(isHeading)
  return end < 0 ? rest : rest.slice(0, end)
}

const isTable = (token: Token): token is Tokens.Table => token.type === 'table'

const isOfSettings = ({ header }: Tokens.Table) => header[0]?.text === 'Name'

const hintsOf = ({ rows }: Tokens.Table) =>
  rows.map(([name, ...cells]): [string, string] => [
    cellText(name),
    // Options of commands do not apply to a form.
    cellText(cells.at(-1)).replaceAll(/--set \w+=/g, ''),
  ])

const cellText = (cell: Tokens.TableCell | undefined) =>
  (cell?.tokens ?? []).map(plainText).join('')

/** The text of a token without its markup. */
function plainText(token: Token): string {
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('')
  return 'text' in token && typeof token.text === 'string' ? token.text : ''
}

// Steps that are commands in a terminal are forms in the console.
const instead = [
  ['tidings connection create', 'Here: fill in the form on this page and press Connect.'],
  ['manifest.json', 'Here: copy it from this page.'],
  ['tidings connection show', 'Here: the page of the connection shows it, once.'],
] as const

const html = new Marked({
  renderer: {
    code({ text }) {
      const here = instead.find(([command]) => text.includes(command))
      return here ? `<p><em>${here[1]}</em></p>` : false
    },
    // Files beside the README are not served.
    link({ href, tokens }) {
      return /^https?:/.test(href) ? false : this.parser.parseInline(tokens)
    },
  },
})
