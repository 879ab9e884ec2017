import { Lexer, Marked, type Token, type Tokens } from 'marked'
import { type SettingsSchema, settingLabel } from '../contract/settings.ts'
import type { IntegrationPage } from '../features/connections/index.ts'
import { sanitizeHtml } from '../lib/html/sanitize-html.ts'

// What a guide calls its set-up, in each language that has guides.
const setUpHeadings = new Set(['Set-up', 'Einrichtung'])

// The first column of the table of events, in each language that has guides.
const eventHeadings = new Set(['Event', 'Ereignis'])

// Stands in a guide for the address that a provider calls.
const addressMark = '{address}'

/**
 * Reads the parts of an integration's README, or of its guide in another language, that the console
 * shows. Names of `settings` become the labels of their fields.
 */
export function readGuide(
  markdown: string,
  settings: Partial<SettingsSchema> = {},
): IntegrationPage {
  const tokens = new Lexer().lex(markdown)
  const settingsTables = tokens.filter(isTable).filter(isOfSettings)
  const labels = new Map(settingsTables.flatMap(labelsOf))
  const fields = new Map(
    Object.entries(settings.entries ?? {}).map(([name, schema]) => [
      name,
      labels.get(name) || settingLabel(name, schema),
    ]),
  )
  const summary = tokens.find((token) => token.type === 'paragraph')
  const steps = setUpIn(tokens)
  const left = withoutDone(steps)
  const remaining = sanitizeHtml(inRemaining(htmlOf(left.tokens, fields), left.doneSteps))
  return {
    summary: summary ? plainText(summary) : '',
    guide: sanitizeHtml(inForm(htmlOf(steps, fields))),
    remaining: (address) => remaining.replaceAll(addressMark, () => Bun.escapeHTML(address)),
    labels,
    hints: new Map(settingsTables.flatMap((table) => hintsOf(table, fields))),
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

const hintsOf = ({ header, rows }: Tokens.Table, fields: ReadonlyMap<string, string>) => {
  const quoted = (label: string) =>
    header[1]?.text === 'Bezeichnung' ? `„${label}“` : `“${label}”`
  const textOf = (token: Token): string => {
    const field = token.type === 'codespan' ? fieldIn(token['text'], fields) : undefined
    return field === undefined ? plainText(token) : quoted(field)
  }
  return rows.map(([name, ...cells]): [string, string] => [
    cellText(name),
    // Options of commands do not apply to a form.
    (cells.at(-1)?.tokens ?? [])
      .map(textOf)
      .join('')
      .replaceAll(/--set \w+=/g, ''),
  ])
}

/** The label of the field that a name in a guide, or an option such as `--set secret=…`, means. */
const fieldIn = (text: string, fields: ReadonlyMap<string, string>) =>
  fields.get(/^--set (\w+)=<[^>]*>$/.exec(text)?.[1] ?? text)

const cellText = (cell: Tokens.TableCell | undefined) =>
  (cell?.tokens ?? []).map(plainText).join('')

/** The text of a token without its markup. */
function plainText(token: Token): string {
  if ('tokens' in token && token.tokens) return token.tokens.map(plainText).join('')
  return 'text' in token && typeof token.text === 'string' ? token.text : ''
}

/** The steps that are left once the connection exists, and how many of a list are done. */
function withoutDone(tokens: Token[]): { tokens: Token[]; doneSteps: number } {
  let doneSteps = 0
  const left = tokens.flatMap((token) => {
    if (!isNumberedList(token)) return [token]
    const done = token.items.findLastIndex(({ raw }) => connecting.test(raw)) + 1
    doneSteps = Math.max(doneSteps, done)
    const items = token.items.slice(done)
    return items.length > 0 ? [{ ...token, start: Number(token.start) + done, items }] : []
  })
  return { tokens: left, doneSteps }
}

const isNumberedList = (token: Token): token is Tokens.List =>
  token.type === 'list' && token['ordered'] === true

// The step that creates the connection, in each language that has guides.
const connecting = /tidings connection create|drücken Sie \*\*Verbinden\*\*/

/** A guide beside the form: what a command prints is on the next page. */
const inForm = (guide: string) =>
  guide.replaceAll(/ as <code>url<\/code>/g, '').replaceAll('<code>url</code>', 'address')

// How guides refer to the address that the provider calls.
const addressWords =
  /\b(?:(?:the|that) <code>url<\/code>(?: from step \d+| of the connection)?|the address from step \d+|die Adresse (?:aus Schritt \d+|(?:(?:auf|von) der Seite )?der Verbindung))|&lt;the url&gt;/g

/** A guide below an existing connection: with its address, and without references to steps that are left out. */
const inRemaining = (guide: string, doneSteps: number) =>
  guide
    .replaceAll(addressWords, (words) =>
      words.startsWith('&lt;') ? addressMark : `<code>${addressMark}</code>`,
    )
    .replaceAll(/ (from step|aus Schritt) (\d+)/g, (words, from, step) => {
      if (Number(step) > doneSteps) return words
      // What the last of these steps creates is shown above the guide.
      if (Number(step) < doneSteps) return ''
      return from === 'from step' ? ' above' : ' oben'
    })

// Steps that are commands in a terminal are forms in the console.
const instead = [
  ['tidings connection create', 'Fill in the form on this page and press Connect.'],
  ['manifest.json', 'Copy it from this page.'],
  ['tidings connection set', 'Use the settings of the connection.'],
  ['tidings connection add-route', 'Use its page Routes.'],
  ['tidings connection show', 'The page of the connection shows it, once.'],
] as const

/** The HTML of a guide, with the labels of fields in place of the names of settings. */
function htmlOf(tokens: Token[], fields: ReadonlyMap<string, string>): string {
  const html = new Marked({
    renderer: {
      code({ text }) {
        const here = instead.find(([command]) => text.includes(command))
        return here ? `<p><em>${here[1]}</em></p>` : false
      },
      codespan({ text }) {
        const field = fieldIn(text, fields)
        return field === undefined ? false : `<strong>${Bun.escapeHTML(field)}</strong>`
      },
      // Files beside the README are not served.
      link({ href, tokens: parts }) {
        return /^https?:/.test(href) ? false : this.parser.parseInline(parts)
      },
    },
  })
  return collapsed(html.parser(tokens).replaceAll(shell, 'an admin account in Tidings'))
}

/** A guide whose parts with a heading of their own, which few people need, are collapsed. */
function collapsed(guide: string): string {
  const [steps = '', ...parts] = guide.split('<h3>')
  return [
    steps,
    ...parts.map((part) => `<details><summary>${part.replace('</h3>', '</summary>')}</details>`),
  ].join('')
}

// Readers of the console have no need of the other way.
const shell = /(?:either )?an admin account in the console of Tidings or a shell on its machine/g
