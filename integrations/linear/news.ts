import type { IngestPayload } from '../../src/contract/ingest.ts'
import { buildItem } from '../kit/item.ts'
import { linkOnHostOf } from '../kit/text.ts'
import type { LinearEvent } from './event.ts'

/** Why an event makes no news; `undefined` when it does. */
export function ignoreReason(event: LinearEvent): string | undefined {
  switch (event.type) {
    case 'ProjectUpdate':
    case 'InitiativeUpdate':
      return event.action === 'create' ? undefined : `${event.action} is not news, only create is`
    case 'Project':
    case 'Initiative':
      return wasCompleted(event) ? undefined : 'it was not completed by this change'
  }
}

const wasCompleted = (event: EventOf<'Project'> | EventOf<'Initiative'>): boolean =>
  event.type === 'Project'
    ? Boolean(event.updatedFrom?.statusId) && event.data.status?.type === 'completed'
    : Boolean(event.updatedFrom?.status) && event.data.status === 'Completed'

/** The block an event becomes. */
export function composeItem(event: LinearEvent): IngestPayload {
  switch (event.type) {
    case 'ProjectUpdate':
      return composeUpdate('Project', event.data.project.name, event)
    case 'InitiativeUpdate':
      return composeUpdate('Initiative', event.data.initiative.name, event)
    case 'Project':
    case 'Initiative':
      return composeCompletion(event)
  }
}

const linkText = 'Read more on Linear'
const linkTo = (url: string | null) => linkOnHostOf('https://linear.app', url ?? '')

function composeUpdate(
  kind: 'Project' | 'Initiative',
  name: string,
  { data, url }: EventOf<'ProjectUpdate'> | EventOf<'InitiativeUpdate'>,
): IngestPayload {
  return buildItem({
    title: `${kind} update: ${name}`,
    markdown: data.body,
    fallback: `There is an update on ${name}.`,
    fact: healthWords.get(data.health ?? ''),
    url: linkTo(url),
    linkText,
    blockType: 'general',
    externalId: `linear:${kind.toLowerCase()}-update:${data.id}`,
    author: data.user ?? undefined,
  })
}

const healthWords: ReadonlyMap<string, string> = new Map([
  ['onTrack', 'Health: on track.'],
  ['atRisk', 'Health: at risk.'],
  ['offTrack', 'Health: off track.'],
])

function composeCompletion({
  type,
  data,
  actor,
  url,
}: EventOf<'Project'> | EventOf<'Initiative'>): IngestPayload {
  return buildItem({
    title: `${type} completed: ${data.name}`,
    markdown: data.description,
    fallback: `${data.name} has been completed.`,
    url: linkTo(url),
    linkText,
    blockType: 'wins_milestones',
    externalId: `linear:${type.toLowerCase()}:${data.id}`,
    author: actor ?? undefined,
  })
}

type EventOf<Type extends LinearEvent['type']> = Extract<LinearEvent, { type: Type }>
