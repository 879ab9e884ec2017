import { defineAdapter } from '../kit/adapter.ts'
import { badRequest } from '../kit/requests/webhook-request.ts'
import { decodeCalendar } from './components.ts'
import { composeDate } from './news.ts'
import { pollCalendar, readEntries } from './poll.ts'
import { addressOf, Settings } from './settings.ts'

const eventNames = { planned: 'event.planned', cancelled: 'event.cancelled' } as const

export const adapter = defineAdapter({
  slug: 'icalendar',
  name: 'iCalendar',
  category: 'feed',
  settings: Settings,
  events: Object.values(eventNames),

  polling: {
    source: addressOf,
    intervalMinutes: ({ every_minutes }) => every_minutes,
    poll: pollCalendar,
    read: ({ bytes, contentType }, { settings, now }) =>
      readEntries(decodeCalendar(bytes, contentType), settings, now),
    withdrawal: (key) => ({ eventName: eventNames.cancelled, event: { kind: 'cancelled', key } }),
  },

  async receive({ headers, body }, { settings, now }) {
    const text = decodeCalendar(body, headers.get('content-type') ?? '')
    const entries = readEntries(text, settings, now)
    if (entries === null) return badRequest('it is not a calendar in the iCalendar format')
    const events = entries.map(({ key: deliveryId, eventName, event }) => ({
      deliveryId,
      eventName,
      event,
    }))
    const [first, ...others] = events
    if (first === undefined)
      return { kind: 'ignored', deliveryId: 'none', reason: 'no event of the calendar is near' }
    return others.length > 0 ? { kind: 'events', events } : { kind: 'event', ...first }
  },

  compose: composeDate,
})
