import ICAL from 'ical.js'
import * as v from 'valibot'
import { oneLine, providerText } from '../kit/text.ts'

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
export interface CalendarEvent {
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
  rule: Rule | undefined
  exceptions: CalendarTime[]
  /** For an occurrence of a series that differs: when it would have been. */
  recurrenceId: CalendarTime | undefined
}

const maxEvents = 5_000
const maxEventLines = 2_000
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
const Rule = v.object({
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
export type Rule = v.InferOutput<typeof Rule>

/** The events of a calendar, and the time zone that it names; null for another document. */
export function readCalendar(
  text: string,
): { events: CalendarEvent[]; zone: string | undefined } | null {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  if (!lines.some((line) => /^BEGIN:VCALENDAR\s*$/i.test(line))) return null
  const zone = lines.find((line) => /^X-WR-TIMEZONE:/i.test(line))?.slice('X-WR-TIMEZONE:'.length)
  return { events: eventBlocks(lines).flatMap((block) => readEvent(block) ?? []), zone }
}

/** The lines of each event. They are parsed one by one, so that a broken event concerns no other one. */
function eventBlocks(lines: readonly string[]): string[][] {
  const blocks: string[][] = []
  let block: string[] | null = null
  for (const line of lines) {
    if (/^BEGIN:VEVENT\s*$/i.test(line)) block = []
    block?.push(line)
    if (block && block.length > maxEventLines) block = null
    if (block && /^END:VEVENT\s*$/i.test(line)) {
      blocks.push(block)
      block = null
      if (blocks.length >= maxEvents) break
    }
  }
  return blocks
}

/** A property in jCal (RFC 7265). */
const Property = v.looseTuple([v.string(), v.record(v.string(), v.unknown()), v.string()])
const Component = v.looseTuple([v.string(), v.array(Property)])
type Property = v.InferOutput<typeof Property>

/** An event; undefined for one that cannot be read. */
function readEvent(lines: readonly string[]): CalendarEvent | undefined {
  const properties = parse(lines)
  const all = (name: string) => properties.filter(([own]) => own === name)
  const text = (name: string) => String(all(name)[0]?.[3] ?? '')
  const time = (name: string) => all(name).flatMap(timesOf)[0]
  const start = time('dtstart')
  const title = oneLine(v.parse(providerText, text('summary')))
  if (start === undefined || title === '') return undefined
  const rule = v.safeParse(Rule, all('rrule')[0]?.[3])
  return {
    uid: text('uid') || `${title} ${start.localMs}`,
    start,
    end: time('dtend'),
    durationMs: durationMs(text('duration')),
    title,
    description: v.parse(providerText, text('description').slice(0, maxTextCharacters)),
    location: oneLine(v.parse(providerText, text('location'))),
    url: text('url'),
    isCancelled: text('status').toUpperCase() === 'CANCELLED',
    isPrivate: /^(?:private|confidential)$/i.test(text('class')),
    rule: rule.success ? rule.output : undefined,
    exceptions: all('exdate').flatMap(timesOf).slice(-maxExceptions),
    recurrenceId: time('recurrence-id'),
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

const timePattern = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}):(\d{2})(Z?))?$/

/** The times of a property; those that do not exist are left out. */
function timesOf([, parameters, , ...values]: Property): CalendarTime[] {
  const zone = typeof parameters['tzid'] === 'string' ? parameters['tzid'] : undefined
  return values.flatMap((value) => {
    const match = timePattern.exec(String(value))
    if (!match) return []
    const [, year, month, day, hour, minute = 0, second = 0, utc] = match
    const localMs = Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour ?? 0),
      Number(minute),
      Number(second),
    )
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
