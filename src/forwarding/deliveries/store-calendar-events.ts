import type { Composed, Item } from '../../../integrations/kit/composed.ts'
import { saveEvent } from '../../features/events/index.ts'
import { keyContext } from '../../lib/context.ts'
import type { DeliveryContext, ForwardingDeps } from '../deps.ts'

type ComposedItems = Extract<Composed, { kind: 'items' }>

/**
 * Adds the events that items announce to the calendar of the team, and returns the items with the slugs of their
 * events. An attempt that is repeated changes nothing. An item of a team with too many events has none.
 */
export async function storeCalendarEvents(
  deps: ForwardingDeps,
  delivery: DeliveryContext,
  composed: ComposedItems,
): Promise<ComposedItems> {
  const items: Item[] = []
  for (const item of composed.items) items.push(await withEvent(deps, delivery, item))
  return { ...composed, items }
}

async function withEvent(
  { sql, now }: ForwardingDeps,
  { connection, adapter }: DeliveryContext,
  { calendarEvent, ...item }: Item,
): Promise<Item> {
  if (!calendarEvent) return item
  const { slug, name, date } = calendarEvent
  const actor = { teamId: connection.teamId, keyId: connection.apiKey.id, name: adapter.name }
  const ctx = keyContext({ sql, now }, actor)
  const event = { slug, name, event_date: date, category: 'corporate' as const }
  return (await saveEvent(ctx, event)) ? { ...item, event_slug: slug } : item
}
