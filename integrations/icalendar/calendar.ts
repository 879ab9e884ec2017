import ICAL from 'ical.js'
import * as v from 'valibot'
import { oneLine } from '../kit/text/fit-length.ts'
import { providerText } from '../kit/text/plain-text.ts'
import { componentsIn } from './components.ts'
import { plainText } from './description.ts'
import { timeZoneOf } from './time-zones/index.ts'
import { readZones, type Zones } from './time-zones/zones.ts'

/** A date or a time of an event, as the calendar writes it. */
export interface CalendarTime {
  /** In ms as if it were UTC. */
  localMs: number
  isDay: boolean
  isUtc: boolean
  /** The name of its zone, if it has one. */
  zone: string | undefined
}

/** All that is read of an event. Guests, organizers, alarms and attachments are not. */
export interface IcsEvent {
  uid: string
  start: CalendarTime
  end: CalendarTime | undefined
  durationMs: number | undefined
  title: string
  description: string
  location: string
  url: string
  isCancelled: boolean
  isPrivate: boolean
  rule: RecurrenceRule | undefined
  exceptions: CalendarTime[]
  /** For an occurrence of a series that differs: when it would have been. */
  recurrenceId: CalendarTime | undefined
  /** The version of the event; the highest one is valid. */
  sequence: number
}

const maxEvents = 5_000
const maxTextCharacters = 10_000
const maxExceptions = 2_000

/** A rule has at most this many days of a month: two for each. */
const maxRuleParts = 62

const numbers = v.optional(
  v.pipe(
    v.union([v.number(), v.array(v.number())]),
    v.transform((value) => [...new Set([value].flat())].slice(0, maxRuleParts)),
  ),
  [],
)
const RecurrenceRule = v.object({
  freq: v.string(),
  interval: v.optional(v.number(), 1),
  count: v.exactOptional(v.number()),
  until: v.exactOptional(v.string()),
  byday: v.optional(
    v.pipe(
      v.union([v.string(), v.array(v.string())]),
      v.transform((value) => [...new Set([value].flat())].slice(0, maxRuleParts)),
    ),
    [],
  ),
  bymonthday: numbers,
  bymonth: numbers,
  bysetpos: numbers,
})
/** How a series repeats (RFC 5545, section 3.3.10). */
export type RecurrenceRule = v.InferOutput<typeof RecurrenceRule>

/**
 * The events of a calendar, and the time zone that it names; null for another document. Single events that begin on no
 * day for which `isNear` is true are left out: a calendar has years of them.
 */
export function readCalendar(
  text: string,
  isNear: (dayMs: number) => boolean,
): { events: IcsEvent[]; zone: string | undefined } | null {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  if (!lines.some((line) => /^BEGIN:VCALENDAR\s*$/i.test(line))) return null
  const zone = lines.find((line) => /^X-WR-TIMEZONE:/i.test(line))?.slice('X-WR-TIMEZONE:'.length)
  const zones = readZones(lines)
  const blocks = eventBlocks(lines, (block) => isSeries(block) || isNear(firstDay(block)))
  return { events: newestVersions(blocks.flatMap((block) => readEvent(block, zones) ?? [])), zone }
}

const isSeries = (block: readonly string[]): boolean =>
  block.some((line) => /^(?:RRULE|RECURRENCE-ID)[:;]/i.test(line))

/** The day on which an event begins, in ms; NaN when that is not plain. */
function firstDay(block: readonly string[]): number {
  for (const line of block) {
    const match = /^DTSTART(?:;[^:"]*)?:(\d{4})(\d{2})(\d{2})/i.exec(line)
    if (match) return Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]))
  }
  return Number.NaN
}

/** Each event once, as its newest version says. */
function newestVersions(events: readonly IcsEvent[]): IcsEvent[] {
  const newest = new Map<string, IcsEvent>()
  for (const event of events) {
    const id = `${event.uid} ${event.recurrenceId?.localMs ?? ''}`
    if (event.sequence >= (newest.get(id)?.sequence ?? 0)) newest.set(id, event)
  }
  return [...newest.values()]
}

/** The lines of each event. They are parsed one by one, so that a broken event concerns no other one. */
function eventBlocks(
  lines: readonly string[],
  isWanted: (block: readonly string[]) => boolean,
): string[][] {
  const blocks: string[][] = []
  for (const block of componentsIn(lines, 'VEVENT')) {
    if (isWanted(block)) blocks.push(block)
    if (blocks.length >= maxEvents) break
  }
  return blocks
}

/** A property in jCal (RFC 7265). */
const Property = v.looseTuple([v.string(), v.record(v.string(), v.unknown()), v.string()])
const Component = v.looseTuple([v.string(), v.array(Property)])
type Property = v.InferOutput<typeof Property>

/** An event; undefined for one that cannot be read. */
function readEvent(lines: readonly string[], zones: Zones): IcsEvent | undefined {
  const properties = parse(lines)
  const all = (name: string) => properties.filter(([own]) => own === name)
  const text = (name: string) => String(all(name)[0]?.[3] ?? '')
  const times = (name: string) => all(name).flatMap((property) => timesOf(property, zones))
  const [start] = times('dtstart')
  const title = oneLine(plainText(v.parse(providerText, text('summary'))))
  if (start === undefined || title === '') return undefined
  const rule = v.safeParse(RecurrenceRule, all('rrule')[0]?.[3])
  return {
    uid: text('uid') || `${title} ${start.localMs}`,
    start,
    end: times('dtend')[0],
    durationMs: durationMs(text('duration')),
    title,
    description: v.parse(providerText, text('description').slice(0, maxTextCharacters)),
    location: oneLine(plainText(v.parse(providerText, text('location')))),
    url: text('url'),
    isCancelled: text('status').toUpperCase() === 'CANCELLED',
    isPrivate: /^(?:private|confidential)$/i.test(text('class')),
    rule: rule.success ? rule.output : undefined,
    exceptions: times('exdate').slice(-maxExceptions),
    recurrenceId: times('recurrence-id')[0],
    sequence: Math.max(0, Number.parseInt(text('sequence'), 10) || 0),
  }
}

function parse(lines: readonly string[]): Property[] {
  try {
    const parsed: unknown = ICAL.parse(lines.join('\r\n'))
    const { success, output } = v.safeParse(Component, parsed)
    return success ? output[1] : []
  } catch {
    // The parser refuses the event; the others can be read.
    return []
  }
}

// A day without `VALUE=DATE` has an empty time.
const timePattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(?:::|(\d{2}):(\d{2}):(\d{2})(Z?)))?$/

/** The times of a property; those that do not exist are left out. */
function timesOf([, parameters, , ...values]: Property, zones: Zones): CalendarTime[] {
  const name = typeof parameters['tzid'] === 'string' ? parameters['tzid'] : undefined
  const zone = timeZoneOf(name) ?? zones.get(name ?? '') ?? name
  return values.flatMap((value) => {
    const match = timePattern.exec(String(value))
    if (!match) return []
    const [, year, month, day, hour, minute = '00', second = '00', utc] = match
    const written = `${year}-${month}-${day}T${hour ?? '00'}:${minute}:${second}.000Z`
    const localMs = Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour ?? 0),
      Number(minute),
      Number(second),
    )
    // `Date` turns 30 February into 2 March. A leap second is the next minute.
    const isReal = second === '60' || new Date(localMs).toISOString() === written
    if (!isReal) return []
    return [{ localMs, isDay: hour === undefined, isUtc: utc === 'Z', zone }]
  })
}

const secondMs = 1_000

/** A duration (RFC 5545, section 3.3.6) in ms; undefined without one. */
function durationMs(text: string): number | undefined {
  const match =
    /^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,7})S)?)?$/.exec(
      text,
    )
  if (!match) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  return ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * secondMs
}
