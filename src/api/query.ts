import { invalidField } from '../lib/errors.ts'

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
