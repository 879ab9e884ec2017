import { isTimeZone } from '../kit/dates.ts'

// Outlook and Exchange name zones as Windows does (CLDR, windowsZones.xml); their own rules in a calendar are not read.
const windowsZones: ReadonlyMap<string, string> = new Map([
  ['AUS Eastern Standard Time', 'Australia/Sydney'],
  ['Arabian Standard Time', 'Asia/Dubai'],
  ['Atlantic Standard Time', 'America/Halifax'],
  ['Central America Standard Time', 'America/Guatemala'],
  ['Central Europe Standard Time', 'Europe/Budapest'],
  ['Central European Standard Time', 'Europe/Warsaw'],
  ['Central Standard Time', 'America/Chicago'],
  ['Central Standard Time (Mexico)', 'America/Mexico_City'],
  ['China Standard Time', 'Asia/Shanghai'],
  ['E. Europe Standard Time', 'Europe/Chisinau'],
  ['E. South America Standard Time', 'America/Sao_Paulo'],
  ['Eastern Standard Time', 'America/New_York'],
  ['Egypt Standard Time', 'Africa/Cairo'],
  ['FLE Standard Time', 'Europe/Kyiv'],
  ['GMT Standard Time', 'Europe/London'],
  ['GTB Standard Time', 'Europe/Bucharest'],
  ['Greenwich Standard Time', 'Atlantic/Reykjavik'],
  ['India Standard Time', 'Asia/Kolkata'],
  ['Israel Standard Time', 'Asia/Jerusalem'],
  ['Korea Standard Time', 'Asia/Seoul'],
  ['Mountain Standard Time', 'America/Denver'],
  ['New Zealand Standard Time', 'Pacific/Auckland'],
  ['Pacific Standard Time', 'America/Los_Angeles'],
  ['Romance Standard Time', 'Europe/Paris'],
  ['Russian Standard Time', 'Europe/Moscow'],
  ['SA Pacific Standard Time', 'America/Bogota'],
  ['SE Asia Standard Time', 'Asia/Bangkok'],
  ['Singapore Standard Time', 'Asia/Singapore'],
  ['South Africa Standard Time', 'Africa/Johannesburg'],
  ['Taipei Standard Time', 'Asia/Taipei'],
  ['Tokyo Standard Time', 'Asia/Tokyo'],
  ['Turkey Standard Time', 'Europe/Istanbul'],
  ['US Mountain Standard Time', 'America/Phoenix'],
  ['UTC', 'UTC'],
  ['W. Australia Standard Time', 'Australia/Perth'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
])

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

/** The time in ms since 1970 at which clocks in a zone show a local time (given in ms as if it were UTC). */
export function instantOf(localMs: number, timeZone: string): number {
  const guess = localMs - offsetMs(localMs, timeZone)
  return localMs - offsetMs(guess, timeZone)
}

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
