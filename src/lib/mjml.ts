import { Engine } from 'mrml'

/** Markup that was made or cleaned by us: the one kind of value that goes into a mail unescaped. */
interface SafeHtml {
  readonly html: string
}

/** What a layout's names stand for: text and markup for `[[name]]`, the others for `if` and `each`. */
export interface View {
  readonly [name: string]: string | number | boolean | null | SafeHtml | readonly View[]
}

type Part = string | { name: string; parts: readonly Part[] | null }

/** A layout, read once. */
export type Layout = readonly Part[]

const marker = /<!-- (?:each|if) (\w+) -->|<!-- (end) -->|\[\[(\w+)\]\]/g

/**
 * Reads an MJML document with three kinds of marks: `[[name]]` is a value,
 * `<!-- each name -->…<!-- end -->` a part for every item of a list, and
 * `<!-- if name -->…<!-- end -->` a part for when there is something. Throws for a part left open.
 */
export function parseLayout(source: string): Layout {
  const root: Part[] = []
  const open = [root]
  let at = 0
  for (const match of source.matchAll(marker)) {
    const [mark, part, end, slot] = match
    const current = open.at(-1) ?? root
    current.push(source.slice(at, match.index))
    at = match.index + mark.length
    if (part) open.push(nested(current, part))
    else if (slot) current.push({ name: slot, parts: null })
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
 * The mail page of a layout filled with a view. MJML never sees a value: it lays out numbered holes,
 * and the values go into the finished page in one pass, so that nothing in a value is ever read as
 * MJML, as a mark or as another value. Text is escaped; numbers are ours and go in before, since
 * MJML reckons with widths. Throws for a layout that is not MJML or names what the view has not.
 */
export function renderMail(layout: Layout, view: View): string {
  const values: string[] = []
  const hole = (value: string) => `@@${values.push(value) - 1}@@`
  const page = toHtml(compose(layout, [view], hole))
  return page.replace(/@@(\d+)@@/g, (_, index) => values[Number(index)] ?? '')
}

function compose(
  parts: readonly Part[],
  scopes: readonly View[],
  hole: (value: string) => string,
): string {
  const written = parts.map((part) => {
    if (typeof part === 'string') return part
    const value = lookUp(scopes, part.name)
    const { parts: inner } = part
    if (inner === null) return writeValue(part.name, value, hole)
    const items = Array.isArray(value) ? value : value ? [{}] : []
    return items.map((item) => compose(inner, [item, ...scopes], hole)).join('')
  })
  return written.join('')
}

function lookUp(scopes: readonly View[], name: string): View[string] {
  const value = scopes.find((scope) => Object.hasOwn(scope, name))?.[name]
  if (value === undefined) throw new Error(`The layout names ${name}, which is not there.`)
  return value
}

function writeValue(name: string, value: View[string], hole: (value: string) => string): string {
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return hole(Bun.escapeHTML(value))
  if (value !== null && typeof value === 'object' && 'html' in value)
    return hole(String(value.html))
  throw new Error(`The layout shows ${name}, which is no text.`)
}

function toHtml(mjml: string): string {
  const engine = new Engine()
  // Without this, a font stack that names Roboto makes every reader ask Google for it.
  engine.setRenderOptions({ disableComments: false, socialIconOrigin: null, fonts: {} })
  try {
    const result = engine.toHtml(mjml)
    if (result.type === 'error') throw new Error(`MJML: ${result.message}`)
    return result.content
  } finally {
    engine.free()
  }
}
