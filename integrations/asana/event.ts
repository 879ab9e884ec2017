import * as v from 'valibot'

// All fields that are not named here are dropped before anything is stored or logged, such as the
// person who made the change.

const Gid = v.pipe(v.string(), v.regex(/^\d{1,30}$/))
const Name = v.pipe(v.string(), v.regex(/^[a-z_]{1,60}$/))

/** https://developers.asana.com/reference/events */
const Event = v.object({
  action: Name,
  created_at: v.pipe(v.string(), v.regex(/^[\dTZ:.+-]{1,40}$/)),
  resource: v.object({ gid: Gid, resource_type: Name }),
  change: v.nullish(v.object({ field: v.nullish(Name, null) }), null),
})

/**
 * A request; a heartbeat contains no events. One that cannot be read does not refuse the others: Asana would send them
 * again, and after a day of that no more.
 */
export const RequestBody = v.object({
  events: v.pipe(v.array(v.fallback(v.nullable(Event), null)), v.maxLength(1000)),
})

/** The stored event: the id of the resource that has to be read from Asana. */
export interface AsanaEvent {
  type: 'status_update' | 'task'
  gid: string
}

/** The names of the events that can become items. */
export const newsEvents = ['status_update.added', 'task.completed'] as const

export interface NamedEvent {
  deliveryId: string
  eventName: (typeof newsEvents)[number]
  event: AsanaEvent
}

/**
 * The events that can become items, each once, because Asana sends a change once for every parent.
 */
export function newsEventsOf({ events }: v.InferOutput<typeof RequestBody>): NamedEvent[] {
  const named = events.flatMap((one): NamedEvent[] => {
    if (one === null) return []
    const { action, created_at, resource, change } = one
    const { gid, resource_type: type } = resource
    const deliveryId = `${type}:${gid}:${created_at}`
    if (type === 'status_update' && action === 'added')
      return [{ deliveryId, eventName: 'status_update.added', event: { type, gid } }]
    if (type === 'task' && action === 'changed' && change?.field === 'completed')
      return [{ deliveryId, eventName: 'task.completed', event: { type, gid } }]
    return []
  })
  return [...new Map(named.map((one) => [one.deliveryId, one])).values()]
}
