import { shortHash } from '../kit/text.ts'
import type { CalendarEvent, CalendarTime } from './calendar.ts'
import { repetitions } from './recurrence.ts'
import { instantOf, localOf, timeZoneOf } from './time-zones.ts'

const dayMs = 86_400_000
const hourMs = 3_600_000

/** One date of an event. */
export interface Occurrence {
  /** Identifies it, also after it was moved. */
  key: string
  event: CalendarEvent
  /** In ms since 1970. */
  startMs: number
  endMs: number
  isAllDay: boolean
  /** The time zone in which it is announced. */
  timeZone: string
}

interface Window {
  /** In ms since 1970. */
  from: number
  to: number
  /** The zone of the calendar: of the setting, or its own. */
  timeZone: string | undefined
}

/** The occurrences that are not over at `from` and begin until `to`, the next one first. */
export function occurrencesIn(events: readonly CalendarEvent[], window: Window): Occurrence[] {
  const changed = new Map<string, CalendarEvent>()
  for (const event of events) {
    const { recurrenceId, uid } = event
    if (recurrenceId) changed.set(`${uid} ${msOf(recurrenceId, zoneOf(event, window))}`, event)
  }
  return events
    .filter(({ recurrenceId }) => recurrenceId === undefined)
    .flatMap((event) => occurrencesOf(event, changed, window))
    .filter(
      ({ startMs, endMs, event }) => isWanted(event) && endMs > window.from && startMs <= window.to,
    )
    .toSorted((a, b) => a.startMs - b.startMs)
}

const isWanted = ({ isCancelled, isPrivate }: CalendarEvent) => !isCancelled && !isPrivate

function occurrencesOf(
  event: CalendarEvent,
  changed: ReadonlyMap<string, CalendarEvent>,
  window: Window,
): Occurrence[] {
  const zone = zoneOf(event, window)
  const id = shortHash(event.uid)
  if (event.rule === undefined) return [occurrence(event, id, window)]
  const excluded = new Set(event.exceptions.map((time) => msOf(time, zone)))
  const times = repetitions(event.start.localMs, event.rule, localOf(window.to, zone))
  return times.flatMap((localMs) => {
    const start = { ...event.start, localMs }
    const startMs = msOf(start, zone)
    if (excluded.has(startMs)) return []
    const key = `${id}:${new Date(localMs).toISOString().slice(0, 10)}`
    const other = changed.get(`${event.uid} ${startMs}`)
    if (other) return [occurrence(other, key, window)]
    const shift = localMs - event.start.localMs
    const end = event.end && { ...event.end, localMs: event.end.localMs + shift }
    return [occurrence({ ...event, start, end }, key, window)]
  })
}

function occurrence(event: CalendarEvent, key: string, window: Window): Occurrence {
  const timeZone = window.timeZone ?? zoneOf(event, window)
  const zone = zoneOf(event, window)
  const startMs = msOf(event.start, event.start.isDay ? timeZone : zone)
  const { isDay: isAllDay } = event.start
  const whole = isAllDay ? dayMs : hourMs
  const length =
    event.durationMs ?? (event.end ? msOf(event.end, isAllDay ? timeZone : zone) - startMs : whole)
  return { key, event, startMs, endMs: startMs + Math.max(length, 0), isAllDay, timeZone }
}

/** The zone of an event; without one, its times are those of the calendar. */
const zoneOf = ({ start }: CalendarEvent, { timeZone }: Window): string =>
  timeZoneOf(start.zone) ?? timeZone ?? 'UTC'

/** A time in ms since 1970. */
const msOf = ({ localMs, isUtc, zone }: CalendarTime, otherwise: string): number =>
  isUtc ? localMs : instantOf(localMs, timeZoneOf(zone) ?? otherwise)
