import * as v from 'valibot'
import { list } from './adapter.ts'

/**
 * A setting that lists repositories or projects by full name, in any case: `acme/web,acme/*`. The
 * star stands for everything below.
 */
export const fullNames = () =>
  v.pipe(
    list(),
    v.array(
      v.pipe(
        v.string(),
        v.toLowerCase(),
        v.regex(
          /^[\w.~-]+(?:\/[\w.-]+)*\/(?:[\w.-]+|\*)$/,
          'must be full names such as acme/web or acme/*',
        ),
      ),
    ),
  )

/** Whether a text is on a list, in any case; `*` in an entry stands for any characters. */
export const isListed = (entries: readonly string[], text: string): boolean =>
  entries.some((entry) => matches(entry.toLowerCase(), text.toLowerCase()))

/** Written without a regular expression, since many stars would make one slow. */
function matches(pattern: string, text: string): boolean {
  const [start = '', ...others] = pattern.split('*')
  const end = others.pop()
  if (end === undefined) return text === pattern
  if (!text.startsWith(start) || !text.endsWith(end)) return false
  let place = start.length
  for (const part of others) {
    const found = text.indexOf(part, place)
    if (found < 0) return false
    place = found + part.length
  }
  return place + end.length <= text.length
}

/** What a connection to a code host narrows. */
interface RepositoryFilters {
  allow_private: boolean
  /** Only these; all of them when empty. */
  repositories: readonly string[]
}

/** Why a repository makes no news for a connection, without naming it; `undefined` when it does. */
export function whyKeptOut(
  repository: { fullName: string; isPublic: boolean },
  { allow_private, repositories }: RepositoryFilters,
): string | undefined {
  if (!repository.isPublic && !allow_private)
    return 'the repository is private or internal, which this connection does not allow (allow_private)'
  if (repositories.length > 0 && !isListed(repositories, repository.fullName))
    return 'the repository is not on the list of this connection (repositories)'
  return undefined
}
