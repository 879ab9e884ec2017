import type { Language } from '../../src/contract/vocabulary.ts'
import { formatMessage } from '../../src/locales/index.ts'
import type { Composed, Item } from '../kit/composed.ts'
import { type RepositoryFilters, repositoryFilterReason } from '../kit/filters.ts'
import { buildItem, nameFromLogin, paragraph } from '../kit/item.ts'
import { isBot } from '../kit/releases/release-authors.ts'
import {
  buildMilestoneItem,
  buildReleaseItem,
  composeRelease,
  releaseChange,
  releaseIgnoreReason,
} from '../kit/releases/releases.ts'
import { linkOnHostOf } from '../kit/text/plain-text.ts'
import { withEmoji } from '../kit/text/typed-text.ts'
import type { Account, GitHubEvent } from './event.ts'

/** Why a setting excludes an event, without private names; `undefined` when none does. */
export function settingReason(event: GitHubEvent, filters: RepositoryFilters): string | undefined {
  const { private: isPrivate, visibility, full_name } = event.repository
  const isPublic = !isPrivate && (visibility ?? 'public') === 'public'
  return repositoryFilterReason({ fullName: full_name, isPublic }, filters)
}

/** Why an event never makes an item; `undefined` when it can. */
export function ignoreReason(event: GitHubEvent): string | undefined {
  switch (event.kind) {
    case 'release':
      return releaseIgnoreReason(event.action, event.release)
    case 'milestone':
      return event.action === 'closed'
        ? undefined
        : `${event.action} creates no block; only closed does`
    case 'public':
      return undefined
  }
}

/** The result of an event. */
export function composeEvent(event: GitHubEvent, language: Language): Composed {
  switch (event.kind) {
    case 'release':
      return composeRelease(
        releaseChange(event.action, event.release),
        releaseItem(event, language),
      )
    case 'milestone':
      return { kind: 'items', items: [milestoneItem(event, language)] }
    case 'public':
      return { kind: 'items', items: [publicItem(event, language)] }
  }
}

function releaseItem({ release, repository }: EventOf<'release'>, language: Language): Item {
  return buildReleaseItem(
    {
      product: repository.name,
      fullName: repository.full_name,
      name: release.name,
      tag: release.tag_name,
      notes: release.body,
      url: linkOnHostOf(repository.html_url, release.html_url),
      externalId: `github:release:${release.id}`,
      author: personName(release.author),
      group: `github:releases:${repository.id}`,
    },
    language,
  )
}

function milestoneItem(
  { milestone, repository, sender }: EventOf<'milestone'>,
  language: Language,
): Item {
  return buildMilestoneItem(
    {
      title: milestone.title,
      product: repository.name,
      fullName: repository.full_name,
      description: milestone.description,
      done: milestone.closed_issues,
      open: milestone.open_issues,
      url: linkOnHostOf(repository.html_url, milestone.html_url),
      externalId: `github:milestone:${milestone.id}`,
      author: personName(sender),
      group: `github:milestones:${repository.id}`,
    },
    language,
  )
}

function publicItem({ repository, sender }: EventOf<'public'>, language: Language): Item {
  const { name, description } = repository
  return buildItem({
    title: formatMessage(language, 'repository_public', { name }),
    body: paragraph(
      withEmoji(description?.trim() || formatMessage(language, 'repository_public_body', { name })),
    ),
    url: linkOnHostOf(repository.html_url, repository.html_url),
    blockType: 'general',
    externalId: `github:public:${repository.id}`,
    author: personName(sender),
  })
}

type EventOf<Kind extends GitHubEvent['kind']> = Extract<GitHubEvent, { kind: Kind }>

/** The public name of a person; `undefined` for deleted accounts and bots, some of which use the account of a person. */
const personName = (account: Account | null) =>
  account?.type === 'User' && !isBot(account.login) ? nameFromLogin(account.login) : undefined
