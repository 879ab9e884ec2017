import type { EventCategory } from '../../contract/vocabulary.ts'
import { countBlocksOfEvents, maxCounted } from '../../features/content-blocks/index.ts'
import { eventInLanguage, type FoundEvent, findEvent } from '../../features/events/index.ts'
import { daysAfter } from '../../lib/clock.ts'
import type { MemberRequest } from '../http/context.ts'
import type { TextKey, Translate } from '../locales/index.ts'
import { Icon } from './icon.tsx'

/** The labels of the event categories. */
export const eventCategoryLabels: Record<EventCategory, TextKey> = {
  awareness_day: 'events.awareness',
  cultural: 'events.cultural',
  seasonal: 'events.seasonal',
  corporate: 'events.company',
  wellness: 'events.wellness',
  diversity: 'events.diversity',
}

/** The page for a new event. No slug has an underscore, so it is not the page of an event. */
export const newEventPath = '/events/new_event'

/** The number of blocks for an event, by status. */
interface BlockCounts {
  draft: number
  ready: number
  used: number
}

/** An event with the number of blocks that the team has for it. */
export interface EventWithBlockCounts extends FoundEvent {
  blockCounts: BlockCounts
}

/** Events in the language of the person, with the block counts of the team, which take one query. */
export async function withBlockCounts(
  { ctx, t }: MemberRequest,
  events: readonly FoundEvent[],
): Promise<EventWithBlockCounts[]> {
  const slugs = [...new Set(events.flatMap(({ linkedBy }) => linkedBy))]
  const counts = await countBlocksOfEvents(ctx, slugs)
  return events.map((event) => {
    const blockCounts = { draft: 0, ready: 0, used: 0 }
    for (const { event_slug, status, count } of counts) {
      if (event.linkedBy.includes(event_slug)) blockCounts[status] += count
    }
    return { ...eventInLanguage(event, t.language), blockCounts }
  })
}

/** The name of an event in the language of the person; the slug where the team has no such event. */
export async function eventName({ ctx, t }: MemberRequest, slug: string): Promise<string> {
  const found = await findEvent(ctx, slug)
  return found ? eventInLanguage(found, t.language).event.name : slug
}

/** True when the library has no block for an event. */
export const hasNoBlocks = ({ blockCounts: { draft, ready, used } }: EventWithBlockCounts) =>
  draft + ready + used === 0

/** The path of the list of blocks for an event. */
export const eventBlocksPath = (slug: string) => `/library?event=${encodeURIComponent(slug)}`

/** The path of the form for a new block for an event. */
export const newBlockPath = (slug: string) => `/library/new?event=${encodeURIComponent(slug)}`

/** An event without blocks is marked from this many days before it. */
const urgentDays = 14

/** The block counts of an event as a link, or a button that creates the first block. */
export function EventBlocks({
  t,
  item,
  canEdit,
  today,
}: {
  t: Translate
  item: EventWithBlockCounts
  canEdit: boolean
  today: string
}) {
  const { event, blockCounts } = item
  if (!hasNoBlocks(item)) {
    return (
      <a class="event-blocks" href={eventBlocksPath(event.slug)}>
        <span class={`badge ${blockCounts.ready > 0 ? 'success' : 'accent'}`} safe>
          {formatBlockCounts(t, blockCounts)}
        </span>
        <span class="visually-hidden" safe>{` ${t('events.for', { name: event.name })}`}</span>
      </a>
    )
  }
  if (event.event_date < today) return <span class="badge">{t('events.no_blocks')}</span>
  const isSoon = event.event_date <= daysAfter(today, urgentDays)
  return (
    <>
      <span class={isSoon ? 'badge warning' : 'badge'}>{t('events.no_blocks_yet')}</span>
      {canEdit ? (
        <a class="button small" href={newBlockPath(event.slug)}>
          <Icon name="plus" />
          {t('events.new_block')}
          <span class="visually-hidden" safe>{` ${t('events.for', { name: event.name })}`}</span>
        </a>
      ) : null}
    </>
  )
}

function formatBlockCounts(t: Translate, { ready, draft, used }: BlockCounts): string {
  if (ready + draft + used >= maxCounted) return t('events.or_more', { maxCounted })
  return [
    ...(ready > 0 ? [t('events.count_ready', { ready })] : []),
    ...(draft > 0 ? [t('events.count_draft', { draft })] : []),
    ...(used > 0 ? [t('events.count_used', { used })] : []),
  ].join(', ')
}
