import type { Item } from '../../../integrations/kit/composed.ts'
import { saveEvent } from '../../features/events/index.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'
import {
  type ItemContext,
  type Of,
  sourceUpdatedAtOf,
  updateContextOf,
  updateSourceOf,
} from './post-items.ts'

/**
 * Adds the events that items announce to the calendar of the team, and returns the items with the slugs of their
 * events. An attempt that is repeated, or an older delivery than the last one about an event, changes nothing. An item of
 * a team with too many events has none.
 */
export async function storeCalendarEvents(
  deps: ForwardingDeps,
  delivery: DeliveryContext,
  composed: Of<'items'>,
): Promise<Of<'items'>> {
  const context = { deps, delivery, sourceUpdatedAt: composed.sourceUpdatedAt }
  const items: Item[] = []
  for (const item of composed.items) items.push(await withEvent(context, item))
  return { ...composed, items }
}

async function withEvent(context: ItemContext, { calendarEvent, ...item }: Item): Promise<Item> {
  if (!calendarEvent) return item
  const { slug, name, date } = calendarEvent
  const isSaved = await saveEvent(updateContextOf(context), {
    slug,
    name,
    event_date: date,
    category: 'corporate',
    source_updated_at: sourceUpdatedAtOf(context) ?? updateSourceOf(context).receivedAt,
  })
  return isSaved ? { ...item, event_slug: slug } : item
}
