import * as v from 'valibot'
import { isListed } from '../../src/contract/settings.ts'
import { type Composed, flag, list } from './adapter.ts'

export { isListed } from '../../src/contract/settings.ts'

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

/**
 * Composes a stored event unless a setting excludes it. `receive` checks the setting too, but it can
 * differ when a delivery is forwarded or replayed later.
 */
export const composeUnlessExcluded = (
  reason: string | undefined,
  compose: () => Composed,
): Composed => (reason === undefined ? compose() : { kind: 'ignored', reason })

/** Whether private repositories are included. A form asks for it when the connection is created. */
export const allowPrivate = () => flag({ label: 'Include private and internal repositories' })

/** What a connection to a code host narrows. */
interface RepositoryFilters {
  allow_private: boolean
  /** Only these; all of them when empty. */
  repositories: readonly string[]
}

/** Why a repository makes no news for a connection, without naming it; `undefined` when it does. */
export function filterReason(
  repository: { fullName: string; isPublic: boolean },
  { allow_private, repositories }: RepositoryFilters,
): string | undefined {
  if (!repository.isPublic && !allow_private)
    return 'the repository is private or internal, which this connection does not allow (allow_private)'
  if (repositories.length > 0 && !isListed(repositories, repository.fullName))
    return 'the repository is not on the list of this connection (repositories)'
  return undefined
}
