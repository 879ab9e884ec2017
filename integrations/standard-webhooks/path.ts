/** A path to a value in JSON: names of fields and indexes of lists. */
export type Path = readonly (string | number)[]

const step =
  /\.([\p{L}\p{N}_-]+)|\[(\d{1,6})\]|\['((?:[^'\\]|\\['\\])*)'\]|\["((?:[^"\\]|\\["\\])*)"\]/uy

/**
 * Parses the part of JSONPath (RFC 9535) that selects one value: `$.release.name`, `$.tags[0]`,
 * `$['first name']`. Searches, filters and functions are not supported. `undefined` for any other
 * text.
 */
export function parsePath(text: string): Path | undefined {
  if (!text.startsWith('$') || text.length > 500) return undefined
  const path: (string | number)[] = []
  for (let end = 1; end < text.length; end = step.lastIndex) {
    step.lastIndex = end
    const [whole, name, index, single, double] = step.exec(text) ?? []
    if (whole === undefined) return undefined
    const quoted = (single ?? double ?? '').replace(/\\(.)/g, '$1')
    path.push(index === undefined ? (name ?? quoted) : Number(index))
  }
  return path
}

/**
 * The value at a path; `undefined` when there is none. Only own properties of the payload are read.
 */
export function valueAt(payload: unknown, path: Path): unknown {
  let value = payload
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    if (Array.isArray(value) !== (typeof part === 'number')) return undefined
    value = Reflect.get(value, part)
  }
  return value
}
