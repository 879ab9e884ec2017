import { Lexer, Marked, type Token, type Tokens } from 'marked'
import type { IntegrationPage } from '../features/connections/index.ts'
import { sanitizeHtml } from '../lib/html/sanitize-html.ts'

// What a guide calls its set-up, in each language that has guides.
const setUpHeadings = new Set(['Set-up', 'Einrichtung'])

// The first column of the table of events, in each language that has guides.
const eventHeadings = new Set(['Event', 'Ereignis'])

/** Reads the parts of an integration's README, or of its guide in another language, that the console shows. */
export function readGuide(markdown: string): IntegrationPage {
  const tokens = new Lexer().lex(markdown)
  const settingsTables = tokens.filter(isTable).filter(isOfSettings)
  const summary = tokens.find((token) => token.type === 'paragraph')
  return {
    summary: summary ? plainText(summary) : '',
    guide: sanitizeHtml(html.parser(setUpIn(tokens))),
    labels: new Map(settingsTables.flatMap(labelsOf)),
    hints: new Map(settingsTables.flatMap(hintsOf)),
    events: new Map(tokens.filter(isTable).filter(isOfEvents).flatMap(meaningsOf)),
  }
}

/** The tokens under the heading of the set-up, up to the next heading of the same level. */
function setUpIn(tokens: Token[]): Token[] {
  const isHeading = (token: Token) => token.type === 'heading' && token['depth'] === 2
  const start = tokens.findIndex((token) => isHeading(token) && setUpHeadings.has(plainText(token)))
  if (start < 0) return []
  const rest = tokens.slice(start + 1)
  const end = rest.findIndex(isHeading)
  return end < 0 ? rest : rest.slice(0, end)
}

const isTable = (token: Token): token is Tokens.Table => token.type === 'table'

const isOfSettings = ({ header }: Tokens.Table) => header[0]?.text === 'Name'

const isOfEvents = ({ header }: Tokens.Table) => eventHeadings.has(header[0]?.text ?? '')

const meaningsOf = ({ rows }: Tokens.Table) =>
  rows.map(([name, meaning]): [string, string] => [cellText(name), cellText(meaning)])

/** The labels of settings, which a guide in another language has in a column; the README has none. */
const labelsOf = ({ header, rows }: Tokens.Table) =>
  header[1]?.text === 'Bezeichnung'
    ? rows.map(([name, label]): [string, string] => [cellText(name), cellText(label)])
    : []

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
