import { maxAuthorCharacters } from '../../src/contract/text.ts'
import { oneLine } from '../kit/text/fit-length.ts'
import { type Element, findElement } from './document.ts'

// What systems call the account that publishes.
const technicalName = /^(?:admin(?:istrator)?|editor|root|user|webmaster|wordpress|author)$/i

/** A name with which somebody signs in, such as `ines.aker`. */
const accountName = /^[a-z0-9]+(?:[._][a-z0-9]+)+$/

const authorNames = ['dc:creator', 'author/name', 'author', 'itunes:author']
const maxAuthors = 5

/** The names of the authors of an entry, separated by commas; null without one. */
export function authorOf(elements: readonly Element[]): string | null {
  const first = findElement(elements, authorNames)?.name
  const names = elements
    .filter(({ name }) => name === first)
    .map(({ content }) => personIn(oneLine(content)))
    .filter((name) => name !== null)
  return oneLine([...new Set(names)].slice(0, maxAuthors).join(', '), maxAuthorCharacters) || null
}

/** The name of an author. RSS has `address (name)`; an email address alone is not a name. */
function personIn(text: string): string | null {
  const name = /@\S+\s*\((?<name>[^()]{1,200})\)$/.exec(text)?.groups?.['name'] ?? text
  const isName = name !== '' && !name.includes('@') && !technicalName.test(name)
  return isName && !accountName.test(name) ? name : null
}
