import type { Item } from '../kit/adapter.ts'
import { filterReason } from '../kit/filters.ts'
import { buildItem } from '../kit/item.ts'
import { buildMilestoneItem, buildReleaseItem, releaseIgnoreReason } from '../kit/releases.ts'
import { linkOnHostOf } from '../kit/text.ts'
import type { Account, GitHubEvent } from './event.ts'

/** What a connection narrows: see the README beside this file. */
interface Filters {
  allow_private: boolean
  repositories: string[]
}

/** Why an event makes no news, naming nothing that may be private; `undefined` when it does. */
export function ignoreReason(event: GitHubEvent, filters: Filters): string | undefined {
  const { private: isPrivate, visibility, full_name } = event.repository
  const isPublic = !isPrivate && (visibility ?? 'public') === 'public'
  return whyNoNews(event) ?? filterReason({ fullName: full_name, isPublic }, filters)
}

function whyNoNews(event: GitHubEvent): string | undefined {
  switch (event.kind) {
    case 'release':
      return releaseIgnoreReason(event.action, event.release)
    case 'milestone':
      return event.action === 'closed' ? undefined : `${event.action} is not news, only closed is`
    case 'public':
      return undefined
  }
}

/** The block an event becomes. */
export function composeItem(event: GitHubEvent): Item {
  switch (event.kind) {
    case 'release':
      return composeRelease(event)
    case 'milestone':
      return composeMilestone(event)
    case 'public':
      return composePublic(event)
  }
}

function composeRelease({ release, repository }: EventOf<'release'>): Item {
  return buildReleaseItem({
    product: repository.name,
    fullName: repository.full_name,
    name: release.name,
    tag: release.tag_name,
    notes: release.body,
    url: linkOnHostOf(repository.html_url, release.html_url),
    linkText: 'Release notes on GitHub',
    externalId: `github:release:${release.id}`,
    author: personName(release.author),
    group: `github:releases:${repository.id}`,
  })
}

function composeMilestone({ milestone, repository, sender }: EventOf<'milestone'>): Item {
  const closed = milestone.closed_issues
  return buildMilestoneItem({
    title: milestone.title,
    product: repository.name,
    fullName: repository.full_name,
    description: milestone.description,
    fact: closed > 0 ? `Closed issues and pull requests: ${closed}.` : undefined,
    url: linkOnHostOf(repository.html_url, milestone.html_url),
    linkText: 'The milestone on GitHub',
    externalId: `github:milestone:${milestone.id}`,
    author: personName(sender),
    group: `github:milestones:${repository.id}`,
  })
}

function composePublic({ repository, sender }: EventOf<'public'>): Item {
  return buildItem({
    title: `${repository.name} is now public`,
    markdown: null,
    fallback: `${repository.full_name} can now be seen by everyone.`,
    fact: repository.description?.trim() || undefined,
    url: linkOnHostOf(repository.html_url, repository.html_url),
    linkText: 'The repository on GitHub',
    blockType: 'general',
    externalId: `github:public:${repository.id}`,
    author: personName(sender),
  })
}

type EventOf<Kind extends GitHubEvent['kind']> = Extract<GitHubEvent, { kind: Kind }>

/** The public name of a person; robots and departed accounts are nobody's author. */
const personName = (account: Account | null) =>
  account?.type === 'User' ? account.login : undefined
