import type { Item } from '../adapter.ts'
import { whyKeptOut } from '../lists.ts'
import { releaseItem, whyNoRelease } from '../releases.ts'
import { linkOnHostOf } from '../text.ts'
import type { Account, ReleaseEvent } from './event.ts'

/** What a connection narrows: see the README beside this file. */
interface Filters {
  allow_private: boolean
  repositories: string[]
}

/** Why a release makes no news, naming nothing that may be private; `undefined` when it does. */
export function whyIgnored(
  { action, release, repository }: ReleaseEvent,
  filters: Filters,
): string | undefined {
  const isPublic = !repository.private && !repository.internal
  return (
    whyNoRelease(action, release) ??
    whyKeptOut({ fullName: repository.full_name, isPublic }, filters)
  )
}

/** The block a release becomes. */
export function composeItem({ release, repository }: ReleaseEvent): Item {
  return releaseItem({
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
