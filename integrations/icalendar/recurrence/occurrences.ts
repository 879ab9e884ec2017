import { shortHash } from '../../kit/text/plain-text.ts'
import type { CalendarTime, IcsEvent, RecurrenceRule } from '../calendar.ts'
import { instantOf, localOf, timeZoneOf } from '../time-zones/index.ts'
import { dayMs, type Range, repetitions } from './recurrence.ts'

const hourMs = 3_600_000

/** One date of an event. */
export interface Occurrence {
  /** Identifies it, also after it was moved. */
  key: string
  event: IcsEvent
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

/** More series than any calendar of announcements has. */
const maxSeries = 1_000
const maxChangesOfSeries = 200
/** Local times differ from those of other zones by less than this. */
const slackMs = 2 * dayMs
/** A longer event is found on its first days only. */
export const maxLengthMs = 366 * dayMs

/**
 * The occurrences that are not over at `from` and begin until `to`, the next one first. Times are converted between
 * zones only for events near that window: a conversion takes long, and a calendar has years of events.
 */
export function occurrencesIn(events: readonly IcsEvent[], window: Window): Occurrence[] {
  const isNear = (event: IcsEvent) => isIn(event.start.localMs, rangeOf(event, window))
  const single = events.filter(
    (event) => event.recurrenceId === undefined && event.rule === undefined && isNear(event),
  )
  const series = events
    .filter(({ recurrenceId, rule }) => recurrenceId === undefined && rule !== undefined)
    .slice(0, maxSeries)
  // Who is invited to one date of a series only has a calendar without the series.
  const known = new Set(series.map(({ uid }) => uid))
  const changed = changedBySeries(events, (event) => {
    const original = event.recurrenceId?.localMs ?? Number.NaN
    return isNear(event) || isIn(original, rangeOf(event, window))
  })
  const alone = [...changed].flatMap(([uid, own]) => (known.has(uid) ? [] : own))
  return [
    ...single.map((event) => occurrence(event, shortHash(event.uid), window)),
    ...alone.map((event) => occurrence(event, keyOf(event, event.recurrenceId), window)),
    ...series.flatMap((event) => {
      const own = changed.get(event.uid)?.slice(0, maxChangesOfSeries) ?? []
      return occurrencesOf(event, own, window)
    }),
  ]
    .filter(
      ({ startMs, endMs, event }) => isWanted(event) && endMs > window.from && startMs <= window.to,
    )
    .toSorted((a, b) => a.startMs - b.startMs)
}

/** What calendars show in place of a title to people who may only see when somebody is busy. */
const hiddenTitle =
  /^(?:busy|free|tentative|away|besetzt|beschäftigt|gebucht|occupé|ocupado|occupato)$/i

// Outlook publishes a cancelled meeting as confirmed, and says only in its title that it is cancelled.
const cancelledWords =
  'cancell?ed|abgesagt|annulée?|cancelad[oa]|annullat[oa]|geannuleerd|odwołane|inställt|キャンセル済み'
const cancelledTitle = new RegExp(
  String.raw`^(?:(?:${cancelledWords})\s?[:：]|\[(?:${cancelledWords})\])`,
  'iu',
)

const isWanted = ({ isCancelled, isPrivate, title }: IcsEvent) =>
  !isCancelled && !isPrivate && !hiddenTitle.test(title) && !cancelledTitle.test(title)

const isIn = (time: number, { from, to }: Range) => time >= from && time <= to

/** The local times at which an event begins that can be in the window, in any zone. */
function rangeOf({ start, end, durationMs }: IcsEvent, window: Window): Range {
  const length = durationMs ?? (end ? end.localMs - start.localMs : dayMs)
  const longest = Math.min(Math.max(length, dayMs), maxLengthMs)
  return { from: window.from - longest - slackMs, to: window.to + slackMs }
}

/** The occurrences of series that differ, by the id of the series. */
function changedBySeries(
  events: readonly IcsEvent[],
  isNear: (event: IcsEvent) => boolean,
): ReadonlyMap<string, IcsEvent[]> {
  return Map.groupBy(
    events.filter((event) => event.recurrenceId !== undefined && isNear(event)),
    ({ uid }) => uid,
  )
}

function occurrencesOf(
  event: IcsEvent,
  changed: readonly IcsEvent[],
  window: Window,
): Occurrence[] {
  if (event.rule === undefined) return []
  const zone = zoneOf(event, window)
  // An occurrence that was moved into the window would have been at another time.
  const ranges = [rangeOf(event, window), ...changed.flatMap(originalRange)]
  const isNear = ({ localMs }: CalendarTime) =>
    ranges.some(({ from, to }) => isIn(localMs, { from: from - slackMs, to: to + slackMs }))
  const exceptions = event.exceptions.filter(isNear)
  const excluded = new Set(exceptions.map((time) => msOf(time, zone)))
  // Some programs name the day of a date that is left out, and not its time.
  const excludedDays = new Set(exceptions.flatMap(({ isDay, localMs }) => (isDay ? [localMs] : [])))
  const byTime = new Map(
    changed.flatMap((other) =>
      other.recurrenceId ? [[msOf(other.recurrenceId, zoneOf(other, window)), other] as const] : [],
    ),
  )
  const lastMs = lastOf(event.rule, event.start, zone)
  const repeated = repetitions({ startMs: event.start.localMs, rule: event.rule, lastMs }, ranges)
  return repeated.flatMap((localMs) => {
    const start = { ...event.start, localMs }
    const startMs = msOf(start, zone)
    if (excluded.has(startMs) || excludedDays.has(localMs - (localMs % dayMs))) return []
    const key = keyOf(event, start)
    const other = byTime.get(startMs)
    if (other) return [occurrence(other, key, window)]
    const shift = localMs - event.start.localMs
    const end = event.end && { ...event.end, localMs: event.end.localMs + shift }
    return [occurrence({ ...event, start, end }, key, window)]
  })
}

/** The id of a date of a series: that of the series, and the day on which it would have been. */
const keyOf = ({ uid, start }: IcsEvent, { localMs }: CalendarTime = start): string =>
  `${shortHash(uid)}:${new Date(localMs).toISOString().slice(0, 10)}`

/** The last moment of a series, in local ms. `UNTIL` is a day, a local time, or a time in UTC. */
function lastOf({ until = '' }: RecurrenceRule, { isUtc }: CalendarTime, zone: string): number {
  const [, day, time = '23:59:59', utc] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(Z?))?$/.exec(until) ?? []
  const ms = Date.parse(`${day}T${time}Z`)
  if (Number.isNaN(ms)) return Number.POSITIVE_INFINITY
  return utc === 'Z' && !isUtc ? localOf(ms, zone) : ms
}

const originalRange = ({ recurrenceId }: IcsEvent): Range[] =>
  recurrenceId ? [{ from: recurrenceId.localMs - slackMs, to: recurrenceId.localMs + slackMs }] : []

function occurrence(event: IcsEvent, key: string, window: Window): Occurrence {
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
const zoneOf = ({ start }: IcsEvent, { timeZone }: Window): string =>
  timeZoneOf(start.zone) ?? timeZone ?? 'UTC'

/** A time in ms since 1970. */
const msOf = ({ localMs, isUtc, zone }: CalendarTime, otherwise: string): number =>
  isUtc ? localMs : instantOf(localMs, timeZoneOf(zone) ?? otherwise)
