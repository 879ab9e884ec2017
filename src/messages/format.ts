import { IntlMessageFormat } from 'intl-messageformat'

// Parsing a message takes longer than formatting it.
const formats = new Map<string, IntlMessageFormat>()

/**
 * A message of a catalog, parsed once. Values are text that people wrote: without `tags`, a `<` in a
 * message or value is never markup.
 */
export function parseMessage(text: string, locale: string, tags = false): IntlMessageFormat {
  const id = `${locale} ${tags} ${text}`
  const known = formats.get(id)
  if (known) return known
  const format = new IntlMessageFormat(text, locale, undefined, { ignoreTag: !tags })
  formats.set(id, format)
  return format
}
