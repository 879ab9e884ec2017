import * as v from 'valibot'
import { isListed } from '../../src/contract/settings.ts'
import { flag, list } from './adapter.ts'
import type { Composed } from './composed.ts'

export { isListed } from '../../src/contract/settings.ts'

/**
 * A setting that lists repositories or projects by full name, in any case: `acme/web,acme/*`. A
 * star matches everything below a folder.
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

/** The settings with which a connection to a code host selects repositories. */
export const repositorySettings = () => ({
  // A form asks for it when the connection is created.
  allow_private: flag({ label: 'Include private and internal repositories' }),
  /** Only these repositories; all repositories when empty. */
  repositories: fullNames(),
})

/** The filters of a connection to a code host. */
export interface RepositoryFilters {
  allow_private: boolean
  /** Only these repositories; all repositories when empty. */
  repositories: readonly string[]
}

/**
 * The reason why the settings exclude a repository, without its name; `undefined` when they do not.
 */
export function repositoryFilterReason(
  repository: { fullName: string; isPublic: boolean },
  { allow_private, repositories }: RepositoryFilters,
): string | undefined {
  if (!repository.isPublic && !allow_private)
    return 'the repository is private or internal, which this connection does not allow (allow_private)'
  if (repositories.length > 0 && !isListed(repositories, repository.fullName))
    return 'the repository is not on the list of this connection (repositories)'
  return undefined
}
