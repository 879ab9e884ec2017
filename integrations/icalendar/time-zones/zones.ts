import { componentsIn } from '../components.ts'
import { timeZoneOf, zoneWithOffsets } from './index.ts'

/** The time zones of a calendar, by the names that it gives them. */
export type Zones = ReadonlyMap<string, string>

const maxZones = 200

/**
 * The zones that a calendar describes (RFC 5545, section 3.6.5): by their location, or by the offsets of their standard
 * and summer time. When clocks change is that of the zone that is found.
 */
export function readZones(lines: readonly string[]): Zones {
  const zones = new Map<string, string>()
  for (const component of componentsIn(lines, 'VTIMEZONE')) {
    const [name, zone] = [propertyOf(component, 'TZID'), zoneOf(component)]
    if (name && zone) zones.set(name, zone)
    if (zones.size >= maxZones) break
  }
  return zones
}

function zoneOf(block: readonly string[]): string | undefined {
  const named = timeZoneOf(propertyOf(block, 'X-LIC-LOCATION'))
  if (named !== undefined) return named
  const standard = offsetIn(block, 'STANDARD')
  const summer = offsetIn(block, 'DAYLIGHT')
  const offset = standard ?? summer
  return offset === undefined ? undefined : zoneWithOffsets(offset, summer ?? offset)
}

/** The last offset of a part of a zone: the others are of earlier years. */
function offsetIn(block: readonly string[], part: 'STANDARD' | 'DAYLIGHT'): string | undefined {
  const begin = block.findLastIndex((line) => line.trim().toUpperCase() === `BEGIN:${part}`)
  return begin < 0 ? undefined : propertyOf(block.slice(begin), 'TZOFFSETTO')
}

/** The value of the first line with a name. */
const propertyOf = (lines: readonly string[], name: string): string | undefined =>
  lines
    .find((line) => line.toUpperCase().startsWith(`${name}:`))
    ?.slice(name.length + 1)
    .trim()
