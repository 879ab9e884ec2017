import type { Item } from '../kit/adapter.ts'
import { filterReason } from '../kit/filters.ts'
import { buildReleaseItem, releaseIgnoreReason } from '../kit/releases.ts'
import { linkOnHostOf } from '../kit/text.ts'
import type { Account, ReleaseEvent } from './event.ts'

/** What a connection narrows: see the README beside this file. */
interface Filters {
  allow_private: boolean
  repositories: string[]
}

/** Why a release makes no news, naming nothing that may be private; `undefined` when it does. */
export function ignoreReason(
  { action, release, repository }: ReleaseEvent,
  filters: Filters,
): string | undefined {
  const isPublic = !repository.private && !repository.internal
  return (
    releaseIgnoreReason(action, release) ??
    filterReason({ fullName: repository.full_name, isPublic }, filters)
  )
}

/** The block a release becomes. */
export function composeItem({ release, repository }: ReleaseEvent): Item {
  return buildReleaseItem({
    product: repository.name,
    fullName: repository.full_name,
    name: release.name,
    tag: release.tag_name,
    notes: release.body,
    url: linkOnHostOf(repository.html_url, release.html_url),
    linkText: 'Release notes',
    externalId: `gitea:release:${release.id}`,
    author: personName(release.author),
    group: `gitea:releases:${repository.id}`,
  })
}

// The accounts that stand for a deleted person and for the forge's own automation.
const nobody = new Set(['ghost', 'gitea-actions', 'forgejo-actions'])

function personName(account: Account | null): string | undefined {
  if (account === null || nobody.has(account.login.toLowerCase())) return undefined
  return account.full_name?.trim() || account.login
}
