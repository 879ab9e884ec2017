import type { Item } from '../kit/adapter.ts'
import { isListed } from '../kit/filters.ts'
import { buildMilestoneItem, buildReleaseItem } from '../kit/releases.ts'
import { keyPart, linkOnHostOf } from '../kit/text.ts'
import type { GitLabEvent } from './event.ts'

/** Why an event makes no news, naming nothing that may be private; `undefined` when it does. */
export function ignoreReason(
  event: GitLabEvent,
  { projects }: { projects: readonly string[] },
): string | undefined {
  const action = event.object_kind === 'release' ? 'create' : 'close'
  if (event.action !== action) return `${event.action} is not news, only ${action} is`
  if (projects.length > 0 && !isListed(projects, event.project.path_with_namespace))
    return 'the project is not on the list of this connection (projects)'
  return undefined
}

/** The block an event becomes. */
export function composeItem(event: GitLabEvent, now: Date): Item {
  switch (event.object_kind) {
    case 'release':
      return { ...composeRelease(event), ...hold(event.released_at, now) }
    case 'milestone':
      return composeMilestone(event)
  }
}

function composeRelease({ project, ...release }: EventOf<'release'>): Item {
  return buildReleaseItem({
    product: project.name,
    fullName: project.path_with_namespace,
    name: release.name,
    tag: release.tag,
    notes: release.description,
    url: linkOnHostOf(project.web_url, release.url ?? ''),
    linkText: 'Release notes on GitLab',
    externalId: `gitlab:release:${project.id}:${keyPart(release.tag)}`,
    group: `gitlab:releases:${project.id}`,
  })
}

/** A release announced ahead of its date waits for it as a draft, whatever the connection says. */
function hold(released_at: string | null, now: Date): Partial<Item> {
  const isUpcoming = released_at !== null && new Date(released_at) > now
  return isUpcoming ? { auto_ready: false, publish_after: released_at } : {}
}

function composeMilestone({ project, object_attributes }: EventOf<'milestone'>): Item {
  const { id, iid, title, description } = object_attributes
  return buildMilestoneItem({
    title,
    product: project.name,
    fullName: project.path_with_namespace,
    description,
    url: linkOnHostOf(project.web_url, `${project.web_url}/-/milestones/${iid}`),
    linkText: 'The milestone on GitLab',
    externalId: `gitlab:milestone:${id}`,
    group: `gitlab:milestones:${project.id}`,
  })
}

type EventOf<Kind extends GitLabEvent['object_kind']> = Extract<GitLabEvent, { object_kind: Kind }>
