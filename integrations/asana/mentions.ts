import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { htmlToText } from '../kit/text/html.ts'

// In plain text, Asana shows the address of a profile in place of the name of a person who is mentioned.
const profile = /https:\/\/app\.asana\.com\/\d+\/(?:\d+\/)?profile\/(\d+)/g
// https://developers.asana.com/docs/rich-text; a lookahead matches one attribute.
const mention =
  /<a\b(?=[^<>]*\bdata-asana-type="user")(?=[^<>]*\bdata-asana-gid="(\d+)")[^<>]*>([^<>]*)<\/a>/g

/** A plain text with the names of the people whom it mentions, from the same text in HTML. */
export function withNames(text: string, html: string, language: Language): string {
  const names = new Map(
    [...html.matchAll(mention)].map(([, id = '', label = '']) => [id, nameOf(label)]),
  )
  return text.replace(
    profile,
    (_, id: string) => names.get(id) || formatMessage(language, 'someone', {}),
  )
}

/** Asana shows the email address of a guest without a name. Readers must not see it. */
function nameOf(label: string): string {
  const name = oneLine(htmlToText(label)).replace(/^@/, '')
  return name.includes('@') ? '' : name
}
