import { invalidField } from '../lib/errors.ts'
import { contextOf } from '../lib/http/index.ts'

/**
 * The query's parameters by name: a text, or a list where a parameter is repeated. `name[]` is read
 * as `name`, and `api_key` is left out. Throws `validation_failed` for NUL, which PostgreSQL refuses.
 */
export function parseQuery(query: string): Record<string, string | string[]> {
  const parameters: Record<string, string | string[]> = {}
  if (query === '') return parameters
  for (const [key, value] of new URLSearchParams(query)) {
    const name = key.replace(/\[\]$/, '')
    if (name === 'api_key') continue
    if (value.includes('\0')) throw invalidField('?', 'a parameter contains a NUL character')
    const earlier = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    parameters[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return parameters
}

/** One sentence for each parameter of the request that the route does not know, with the nearest known name. */
export function unknownParameters(
  request: Request,
  { entries }: { entries: Readonly<Record<string, unknown>> },
): string[] {
  const known = Object.keys(entries)
  const sent = Object.keys(parseQuery(contextOf(request).query))
  const unknown = sent.filter((name) => !known.includes(name))
  return warningsFor('parameter', unknown, known)
}

/** One sentence for each of the first ten unknown names. */
export function warningsFor(
  kind: 'parameter' | 'field',
  unknown: readonly string[],
  known: readonly string[],
): string[] {
  return unknown.slice(0, 10).map((name) => {
    const nearest = nearestName(name, known)
    const shown = name.slice(0, 40)
    return `the ${kind} ${shown} is unknown and was ignored${nearest ? `; did you mean ${nearest}?` : ''}`
  })
}

/** The name with the fewest edits, when they are few for its length. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, edits: editsBetween(name.slice(0, 40), candidate) }))
    .toSorted((one, other) => one.edits - other.edits)
  const [best] = ranked
  return best && best.edits <= best.candidate.length / 3 ? best.candidate : undefined
}

/** How many characters to add, remove or replace (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, character] of [...one].entries()) {
    const next = [index + 1]
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (other[at - 1] === character ? 0 : 1)
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
