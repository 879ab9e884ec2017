import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** MJML as WebAssembly, compiled when it is first used: most processes render no email. */
const mrml = (): typeof import('mrml') => require('mrml')

/** HTML that we have written or sanitized: the only value that is not escaped in an email. */
interface SafeHtml {
  readonly html: string
}

/**
 * The values of a layout by name: text, numbers and HTML for `[[name]]`, any value for `if`, lists
 * for `each`.
 */
export interface View {
  readonly [name: string]: string | number | boolean | null | SafeHtml | readonly View[]
}

type Part = string | { name: string; parts: readonly Part[] | null }

/** A parsed layout. */
export type Layout = readonly Part[]

const marker = /<!-- (?:each|if) (\w+) -->|<!-- (end) -->|\[\[(\w+)\]\]/g

/**
 * Parses an MJML document with three kinds of marks: `[[name]]` is a value, `<!-- each name
 * -->…<!-- end -->` a part that is repeated for each item of a list, and `<!-- if name -->…<!-- end
 * -->` a part that is shown when the value is not empty. Throws when a part is not closed.
 */
export function parseLayout(source: string): Layout {
  const root: Part[] = []
  const open = [root]
  let at = 0
  for (const match of source.matchAll(marker)) {
    const [mark, part, end, value] = match
    const current = open.at(-1) ?? root
    current.push(source.slice(at, match.index))
    at = match.index + mark.length
    if (part) open.push(nested(current, part))
    else if (value) current.push({ name: value, parts: null })
    else if (end) open.pop()
  }
  if (open.length !== 1) throw new Error('A part of the layout is not closed, or closed twice.')
  return [...root, source.slice(at)]
}

function nested(into: Part[], name: string): Part[] {
  const parts: Part[] = []
  into.push({ name, parts })
  return parts
}

/**
 * Renders a layout with its values as the HTML of an email. MJML gets numbered placeholders, which
 * are replaced in one pass after it has run; therefore nothing in a value is read as MJML, as a
 * mark or as another value. Text is escaped. Numbers are inserted before MJML runs, because MJML
 * computes with widths. Throws for invalid MJML and for a name that has no value.
 */
export function renderMail(layout: Layout, view: View): string {
  const values: string[] = []
  const placeholder = (value: string) => `@@${values.push(value) - 1}@@`
  const page = toHtml(compose(layout, [view], placeholder))
  return page.replace(/@@(\d+)@@/g, (_, index) => values[Number(index)] ?? '')
}

function compose(
  parts: readonly Part[],
  scopes: readonly View[],
  placeholder: (value: string) => string,
): string {
  const written = parts.map((part) => {
    if (typeof part === 'string') return part
    const value = lookUp(scopes, part.name)
    const { parts: inner } = part
    if (inner === null) return writeValue(part.name, value, placeholder)
    const items = Array.isArray(value) ? value : value ? [{}] : []
    return items.map((item) => compose(inner, [item, ...scopes], placeholder)).join('')
  })
  return written.join('')
}

function lookUp(scopes: readonly View[], name: string): View[string] {
  const value = scopes.find((scope) => Object.hasOwn(scope, name))?.[name]
  if (value === undefined) throw new Error(`The layout names ${name}, which has no value.`)
  return value
}

function writeValue(
  name: string,
  value: View[string],
  placeholder: (value: string) => string,
): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return placeholder(Bun.escapeHTML(value))
  if (value !== null && typeof value === 'object' && 'html' in value)
    return placeholder(String(value.html))
  throw new Error(`The layout shows ${name}, which is neither text nor HTML.`)
}

function toHtml(mjml: string): string {
  const engine = new (mrml().Engine)()
  // Without this option, a font stack with Roboto makes email programs load it from Google.
  engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} })
  try {
    const result = engine.toHtml(mjml)
    if (result.type === 'error') throw new Error(`MJML: ${result.message}`)
    return joinConditions(result.content)
  } finally {
    engine.free()
  }
}

/** Joins neighboring parts for Outlook: each mark counts towards the size at which Gmail cuts an email. */
const joinConditions = (html: string): string =>
  html.replaceAll('<![endif]--><!--[if mso | IE]>', '')
