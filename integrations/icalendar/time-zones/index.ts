import { isTimeZone } from '../../kit/dates.ts'
import { windowsZones } from './windows.ts'

// To find out whether a name is a zone takes about as long as to read an event. A calendar has few names.
const zonesByName = new Map<string, string | undefined>()
const maxNames = 1_000

/** The time zone (IANA) that a calendar names; undefined for an unknown one. */
export function timeZoneOf(name: string | undefined): string | undefined {
  if (name === undefined || name.length > 100) return undefined
  if (zonesByName.has(name)) return zonesByName.get(name)
  if (zonesByName.size >= maxNames) zonesByName.clear()
  const zone = findTimeZone(name)
  zonesByName.set(name, zone)
  return zone
}

function findTimeZone(name: string): string | undefined {
  const plain = name.trim().replace(/^"|"$/g, '')
  // Older programs write a path before the name.
  const candidates = [windowsZones.get(plain), plain, plain.split('/').slice(-2).join('/')]
  return candidates.find((one) => one !== undefined && one !== '' && isTimeZone(one))
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
// The first ones with the offsets of a zone are those with the most people.
const commonZones = ['Europe/Berlin', 'Europe/London', 'Europe/Helsinki', 'America/New_York']
const days = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]

/** A time zone with the offsets (`+0100`) of the standard and the summer time of a zone; undefined when there is none. */
export function zoneWithOffsets(standard: string, summer: string): string | undefined {
  const wanted = [standard, summer].map(offsetOf).toSorted((a, b) => a - b)
  return [...commonZones, ...windowsZones.values()].find((zone) => {
    const found = days.map((day) => offsetMs(day, zone)).toSorted((a, b) => a - b)
    return found.every((offset, index) => offset === wanted[index])
  })
}

function offsetOf(text: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d{2})(\d{2})/.exec(text.trim()) ?? []
  const ms = Number(hours) * hourMs + Number(minutes) * minuteMs
  return sign === '-' ? -ms : ms
}

/** The time in ms since 1970 at which clocks in a zone show a local time (given in ms as if it were UTC). */
export function instantOf(localMs: number, timeZone: string): number {
  const guess = localMs - offsetMs(localMs, timeZone)
  return localMs - offsetMs(guess, timeZone)
}

/** What clocks in a zone show at a time, in ms as if it were UTC. */
export const localOf = (ms: number, timeZone: string): number => ms + offsetMs(ms, timeZone)

function offsetMs(ms: number, timeZone: string): number {
  const name = formatOf(timeZone)
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign = '+', hours = '0', minutes = '0'] =
    /GMT([+-])(\d{2}):?(\d{2})/.exec(name ?? '') ?? []
  const total = (Number(hours) * 60 + Number(minutes)) * minuteMs
  return sign === '-' ? -total : total
}

// A format takes long to create, and there are only some hundred zones.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  formats.set(timeZone, format)
  return format
}
