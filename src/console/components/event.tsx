import type { EventCategory } from '../../contract/vocabulary.ts'
import { countBlocksOfEvents, maxCounted } from '../../features/content-blocks/index.ts'
import type { FoundEvent } from '../../features/events/index.ts'
import { daysAfter } from '../../lib/clock.ts'
import type { MemberRequest } from '../http/context.ts'
import { Icon } from './icon.tsx'

/** Categories as people read them. */
export const categoryTitles: Record<EventCategory, string> = {
  awareness_day: 'Awareness',
  cultural: 'Cultural',
  seasonal: 'Seasonal',
  corporate: 'Company',
  wellness: 'Wellness',
  diversity: 'Diversity',
}

/** How many blocks of the library are for one time of an event, by status. */
interface Prepared {
  draft: number
  ready: number
  used: number
}

/** One time of an event, with what the team has for it. */
export interface PlannedEvent extends FoundEvent {
  prepared: Prepared
}

/** Adds to events what the visitor's team has prepared for each, in one look. */
export async function withPrepared(
  { deps, teamId }: MemberRequest,
  events: readonly FoundEvent[],
): Promise<PlannedEvent[]> {
  const slugs = [...new Set(events.flatMap(({ linkedBy }) => linkedBy))]
  const counts = await countBlocksOfEvents(deps.sql, teamId, slugs)
  return events.map((found) => {
    const prepared = { draft: 0, ready: 0, used: 0 }
    for (const { event_slug, status, count } of counts) {
      if (found.linkedBy.includes(event_slug)) prepared[status] += count
    }
    return { ...found, prepared }
  })
}

/** True when the library has nothing for an event. */
export const isOpen = ({ prepared: { draft, ready, used } }: PlannedEvent) =>
  draft + ready + used === 0

/** Where what is prepared for an event is listed. */
export const preparedPath = (slug: string) => `/library?event=${encodeURIComponent(slug)}`

/** Where something new for an event begins. */
export const startPath = (slug: string) => `/library/new?event=${encodeURIComponent(slug)}`

/** From when on it is urgent that nothing is prepared. */
const soonDays = 14

/** What the team has for an event, as a link; or that there is nothing, with the way to begin. */
export function PreparedLine({
  planned,
  editor,
  today,
}: {
  planned: PlannedEvent
  editor: boolean
  today: string
}) {
  const { event, prepared } = planned
  if (!isOpen(planned)) {
    return (
      <a class="event-prepared" href={preparedPath(event.slug)}>
        <span class={`badge ${prepared.ready > 0 ? 'good' : 'accent'}`} safe>
          {preparedWords(prepared)}
        </span>
        <span class="visually-hidden" safe>{` for ${event.name}`}</span>
      </a>
    )
  }
  if (event.event_date < today) return <span class="badge">No blocks</span>
  const soon = event.event_date <= daysAfter(today, soonDays)
  return (
    <>
      <span class={soon ? 'badge warn' : 'badge'}>No blocks yet</span>
      {editor ? (
        <a class="button small" href={startPath(event.slug)}>
          <Icon name="plus" />
          New block
          <span class="visually-hidden" safe>{` for ${event.name}`}</span>
        </a>
      ) : null}
    </>
  )
}

function preparedWords({ ready, draft, used }: Prepared): string {
  if (ready + draft + used >= maxCounted) return `${maxCounted} or more`
  return [
    ...(ready > 0 ? [`${ready} ready`] : []),
    ...(draft > 0 ? [`${draft} ${draft === 1 ? 'draft' : 'drafts'}`] : []),
    ...(used > 0 ? [`${used} used`] : []),
  ].join(', ')
}
