import type { IngestPayload } from '../../src/contract/ingest.ts'
import { newsBody } from '../markdown.ts'
import { linkOnHostOf, oneLine } from '../text.ts'
import type { Account, GitHubEvent } from './event.ts'

/** What a connection narrows: see the README beside this file. */
interface Filters {
  allow_private: boolean
  repositories: string[]
}

/** Why an event makes no news, naming nothing that may be private; `undefined` when it does. */
export function whyIgnored(event: GitHubEvent, filters: Filters): string | undefined {
  return whyNoNews(event) ?? whyKeptOut(event.repository, filters)
}

function whyNoNews(event: GitHubEvent): string | undefined {
  switch (event.kind) {
    case 'release':
      if (event.action !== 'published') return `${event.action} is not news, only published is`
      if (event.release.draft) return 'a draft is not news'
      if (event.release.prerelease) return 'a pre-release is not news'
      return undefined
    case 'milestone':
      return event.action === 'closed' ? undefined : `${event.action} is not news, only closed is`
    case 'public':
      return undefined
  }
}

function whyKeptOut(
  { private: isPrivate, visibility, full_name }: GitHubEvent['repository'],
  { allow_private, repositories }: Filters,
): string | undefined {
  if ((isPrivate || (visibility ?? 'public') !== 'public') && !allow_private)
    return 'the repository is private or internal, which this connection does not allow (allow_private)'
  const name = full_name.toLowerCase()
  const listed = [name, name.replace(/\/.*/, '/*')].some((entry) => repositories.includes(entry))
  if (repositories.length > 0 && !listed)
    return 'the repository is not on the list of this connection (repositories)'
  return undefined
}

/** The block an event becomes. */
export function composeItem(event: GitHubEvent): IngestPayload {
  switch (event.kind) {
    case 'release':
      return composeRelease(event)
    case 'milestone':
      return composeMilestone(event)
    case 'public':
      return composePublic(event)
  }
}

function composeRelease({ release, repository }: EventOf<'release'>): IngestPayload {
  const url = linkOnHostOf(repository.html_url, release.html_url)
  return {
    title: oneLine(`${repository.name} ${release.name?.trim() || release.tag_name} released`),
    body: newsBody({
      markdown: release.body,
      fallback: `${repository.full_name} ${release.tag_name} has been released.`,
      url,
      linkText: 'Release notes on GitHub',
    }),
    block_type: 'wins_milestones',
    external_id: `github:release:${release.id}`,
    source_url: url,
    author: personName(release.author),
  }
}

function composeMilestone({ milestone, repository, sender }: EventOf<'milestone'>): IngestPayload {
  const url = linkOnHostOf(repository.html_url, milestone.html_url)
  const closed = milestone.closed_issues
  return {
    title: oneLine(`Milestone ${milestone.title} reached (${repository.name})`),
    body: newsBody({
      markdown: milestone.description,
      fallback: `${repository.full_name} has reached the milestone ${milestone.title}.`,
      fact: closed > 0 ? `Closed issues and pull requests: ${closed}.` : undefined,
      url,
      linkText: 'The milestone on GitHub',
    }),
    block_type: 'wins_milestones',
    external_id: `github:milestone:${milestone.id}`,
    source_url: url,
    author: personName(sender),
  }
}

function composePublic({ repository, sender }: EventOf<'public'>): IngestPayload {
  const url = linkOnHostOf(repository.html_url, repository.html_url)
  return {
    title: oneLine(`${repository.name} is now public`),
    body: newsBody({
      markdown: null,
      fallback: `${repository.full_name} can now be seen by everyone.`,
      fact: repository.description?.trim() || undefined,
      url,
      linkText: 'The repository on GitHub',
    }),
    block_type: 'general',
    external_id: `github:public:${repository.id}`,
    source_url: url,
    author: personName(sender),
  }
}

type EventOf<Kind extends GitHubEvent['kind']> = Extract<GitHubEvent, { kind: Kind }>

/** The public name of a person; robots and departed accounts are nobody's author. */
function personName(account: Account | null): string | undefined {
  return account?.type === 'User' ? oneLine(account.login) || undefined : undefined
}
