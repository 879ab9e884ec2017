import type { Language } from '../../src/contract/vocabulary.ts'
import type { Composed } from '../kit/composed.ts'
import { type RepositoryFilters, repositoryFilterReason } from '../kit/filters.ts'
import { nameFromLogin } from '../kit/item.ts'
import { isBot } from '../kit/releases/release-authors.ts'
import {
  buildReleaseItem,
  composeRelease,
  releaseChange,
  releaseIgnoreReason,
} from '../kit/releases/releases.ts'
import { linkOnHostOf } from '../kit/text/plain-text.ts'
import type { Account, ReleaseEvent } from './event.ts'

/** Why an event never makes an item; `undefined` when it can. */
export const ignoreReason = ({ action, release }: ReleaseEvent) =>
  releaseIgnoreReason(action, release)

/** Why a setting excludes an event, without private names; `undefined` when none does. */
export function settingReason(
  { repository }: ReleaseEvent,
  filters: RepositoryFilters,
): string | undefined {
  const isPublic = !repository.private && !repository.internal
  return repositoryFilterReason({ fullName: repository.full_name, isPublic }, filters)
}

/**
 * The result of an event. For a release that was a pre-release before, or whose tag existed, Gitea sends only that it was
 * updated. Therefore an update of a new release makes a block, too.
 */
export function composeEvent(
  { action, release, repository }: ReleaseEvent,
  { language, now }: { language: Language; now: Date },
): Composed {
  const item = buildReleaseItem(
    {
      product: repository.name,
      fullName: repository.full_name,
      name: release.name,
      tag: release.tag_name,
      notes: release.body,
      url: linkOnHostOf(repository.html_url, release.html_url ?? `${repository.html_url}/releases`),
      externalId: `gitea:release:${release.id}`,
      author: personName(release.author),
      group: `gitea:releases:${repository.id}`,
    },
    language,
  )
  const change = releaseChange(action, release)
  return change === 'announce' || (change === 'update' && isNew(release, now))
    ? { kind: 'items', items: [item], updateExisting: true }
    : composeRelease(change, item)
}

const newForMs = 30 * 86_400_000

const isNew = ({ created_at }: ReleaseEvent['release'], now: Date): boolean =>
  Date.parse(created_at ?? '') > now.getTime() - newForMs

// The accounts of deleted people and of the automation of the code host.
const automationAccounts = new Set(['ghost', 'gitea-actions', 'forgejo-actions'])

function personName(account: Account | null): string | undefined {
  if (account === null || automationAccounts.has(account.login.toLowerCase())) return undefined
  if (isBot(account.login)) return undefined
  return account.full_name?.trim() || nameFromLogin(account.login) || undefined
}
