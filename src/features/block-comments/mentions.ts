interface Person {
  id: string
  name: string
  email: string
}

/** A part of a comment; `id` is the member that it mentions, or null. */
interface Part {
  text: string
  id: string | null
}

const isLetter = (character: string | undefined) => /[\p{L}\p{N}_]/u.test(character ?? '')

/** A word that names a person, in lower case as `lower`. */
interface Name {
  name: string
  lower: string
  id: string
}

const firstLetter = (lower: string): string => lower.slice(0, 1)

/**
 * The words that name each person, the longest first: the whole name, the address, a unique first name. They are
 * grouped by their first letter, so that a comment of many `@` is not compared with all of them for each.
 */
function namesOf(people: readonly Person[]): Map<string, Name[]> {
  const firstOf = (name: string) => name.split(' ')[0] ?? ''
  const firstNames = Map.groupBy(people, ({ name }) => firstOf(name).toLowerCase())
  const names = people.flatMap(({ id, name, email }) => {
    const first = firstOf(name)
    const isUnique = firstNames.get(first.toLowerCase())?.length === 1
    return [name, email, ...(isUnique ? [first] : [])].map((one) => ({
      name: one,
      lower: one.toLowerCase(),
      id,
    }))
  })
  const longestFirst = names
    .filter(({ name }) => name !== '')
    .toSorted((one, other) => other.name.length - one.name.length)
  return Map.groupBy(longestFirst, ({ lower }) => firstLetter(lower))
}

/** Whether a name is at a position, in any case. A text in lower case can be longer, as of `İ`. */
const isNamed = (body: string, at: number, { name, lower }: Name): boolean =>
  body.slice(at, at + name.length).toLowerCase() === lower

/** Splits a comment where it names a person after `@`, such as `@Ada Quist` or `@ada@acme.test`. */
export function splitMentions(body: string, people: readonly Person[]): Part[] {
  const names = namesOf(people)
  const parts: Part[] = []
  let from = 0
  for (let at = body.indexOf('@'); at !== -1; at = body.indexOf('@', at + 1)) {
    if (at < from || isLetter(body[at - 1])) continue
    const found = names
      .get(firstLetter((body[at + 1] ?? '').toLowerCase()))
      ?.find((one) => isNamed(body, at + 1, one) && !isLetter(body[at + 1 + one.name.length]))
    if (!found) continue
    const end = at + 1 + found.name.length
    parts.push(
      { text: body.slice(from, at), id: null },
      { text: body.slice(at, end), id: found.id },
    )
    from = end
  }
  return [...parts, { text: body.slice(from), id: null }].filter(({ text }) => text !== '')
}

/** The ids of the people whom a comment mentions. */
export const findMentions = (body: string, people: readonly Person[]): string[] => [
  ...new Set(splitMentions(body, people).flatMap(({ id }) => id ?? [])),
]
