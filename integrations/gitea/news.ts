import { filterReason } from '../kit/filters.ts'
import { nameFromLogin } from '../kit/headline.ts'
import type { Language } from '../kit/messages/index.ts'
import {
  buildReleaseItem,
  composeRelease,
  releaseChange,
  releaseIgnoreReason,
} from '../kit/releases.ts'
import { linkOnHostOf } from '../kit/text.ts'
import type { Account, ReleaseEvent } from './event.ts'

/** What a connection narrows: see the README beside this file. */
interface Filters {
  allow_private: boolean
  repositories: string[]
}

/** Why an event never makes an item; `undefined` when it can. */
export const ignoreReason = ({ action, release }: ReleaseEvent) =>
  releaseIgnoreReason(action, release)

/** Why a setting excludes an event, naming nothing that may be private; `undefined` when none does. */
export function settingReason({ repository }: ReleaseEvent, filters: Filters): string | undefined {
  const isPublic = !repository.private && !repository.internal
  return filterReason({ fullName: repository.full_name, isPublic }, filters)
}

/** What an event becomes. */
export function composeEvent({ action, release, repository }: ReleaseEvent, language: Language) {
  const item = buildReleaseItem(
    {
      product: repository.name,
      fullName: repository.full_name,
      name: release.name,
      tag: release.tag_name,
      notes: release.body,
      url: linkOnHostOf(repository.html_url, release.html_url),
      externalId: `gitea:release:${release.id}`,
      author: personName(release.author),
      group: `gitea:releases:${repository.id}`,
    },
    language,
  )
  return composeRelease(releaseChange(action, release), item)
}

// The accounts that stand for a deleted person and for the forge's own automation.
const nobody = new Set(['ghost', 'gitea-actions', 'forgejo-actions'])

function personName(account: Account | null): string | undefined {
  if (account === null || nobody.has(account.login.toLowerCase())) return undefined
  return account.full_name?.trim() || nameFromLogin(account.login)
}
