import type { Language } from '../../src/contract/vocabulary.ts'
import type { Composed, Item } from '../kit/composed.ts'
import { isListed } from '../kit/filters.ts'
import { buildMilestoneItem, buildReleaseItem, composeRelease } from '../kit/releases/releases.ts'
import { keyPart, linkOnHostOf } from '../kit/text/plain-text.ts'
import type { GitLabEvent } from './event.ts'

const newForMs = 60 * 86_400_000

/** Whether a release is an old one that was entered later, as when the history of a project is moved to GitLab. */
const isHistorical = ({ released_at, created_at }: EventOf<'release'>): boolean =>
  Date.parse(released_at ?? '') < Date.parse(created_at ?? '') - newForMs

/** Why an event never makes an item; `undefined` when it can. */
export function ignoreReason(event: GitLabEvent): string | undefined {
  const actions = event.object_kind === 'release' ? ['create', 'update'] : ['close']
  if (!actions.includes(event.action))
    return `${event.action} creates no block; only ${actions.join(' and ')} ${actions.length > 1 ? 'do' : 'does'}`
  if (event.object_kind === 'release' && isHistorical(event))
    return 'the release was published more than 60 days before it was entered'
  return undefined
}

/** Why a setting excludes an event, without private names; `undefined` when none does. */
export function settingReason(
  event: GitLabEvent,
  { projects }: { projects: readonly string[] },
): string | undefined {
  if (projects.length > 0 && !isListed(projects, event.project.path_with_namespace))
    return 'the project is not on the list of this connection (projects)'
  return undefined
}

/** The result of an event. An update changes a draft that no person has edited. */
export function composeEvent(event: GitLabEvent, now: Date, language: Language): Composed {
  if (event.object_kind === 'milestone')
    return { kind: 'items', items: [milestoneItem(event, language)] }
  const item = { ...releaseItem(event, language), ...embargo(event.released_at, now) }
  return composeRelease(event.action === 'update' ? 'update' : 'announce', item)
}

function releaseItem({ project, ...release }: EventOf<'release'>, language: Language): Item {
  return buildReleaseItem(
    {
      product: project.name,
      fullName: project.path_with_namespace,
      name: release.name,
      tag: release.tag,
      notes: release.description,
      url: linkOnHostOf(project.web_url, release.url ?? ''),
      externalId: `gitlab:release:${project.id}:${keyPart(release.tag)}`,
      group: `gitlab:releases:${project.id}`,
    },
    language,
  )
}

/**
 * A release that is announced before its date is a draft until then, whatever the settings of the
 * connection are.
 */
function embargo(released_at: string | null, now: Date): Partial<Item> {
  const isUpcoming = released_at !== null && new Date(released_at) > now
  return isUpcoming ? { auto_ready: false, publish_after: released_at } : {}
}

function milestoneItem(
  { project, object_attributes }: EventOf<'milestone'>,
  language: Language,
): Item {
  const { id, iid, title, description } = object_attributes
  return buildMilestoneItem(
    {
      title,
      product: project.name,
      fullName: project.path_with_namespace,
      description,
      url: linkOnHostOf(project.web_url, `${project.web_url}/-/milestones/${iid}`),
      externalId: `gitlab:milestone:${id}`,
      group: `gitlab:milestones:${project.id}`,
    },
    language,
  )
}

type EventOf<Kind extends GitLabEvent['object_kind']> = Extract<GitLabEvent, { object_kind: Kind }>
