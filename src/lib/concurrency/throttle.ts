import ipaddr from 'ipaddr.js'
import type { Now } from '../clock.ts'

const maxNames = 100_000
const minuteMs = 60_000

export interface Throttle {
  /**
   * Counts one event of `name`. Returns the seconds to wait when the minute has more events than
   * allowed, otherwise 0.
   */
  count(name: string): number
  /**
   * The seconds to wait when `name` has reached the limit of the minute, otherwise 0. Counts
   * nothing.
   */
  check(name: string): number
}

/**
 * Counts events by name in fixed minutes, in this process only: a cheap protection against floods,
 * without an exact limit. After 100,000 names a new minute begins early, so memory stays bounded.
 */
export function createThrottle(now: Now, perMinute: number): Throttle {
  const counts = new Map<string, number>()
  let minuteEnds = 0
  const current = (): number => {
    const at = now().getTime()
    // More than a minute ahead: the clock was set back.
    const isOver = at >= minuteEnds || minuteEnds - at > minuteMs
    if (isOver || counts.size >= maxNames) {
      counts.clear()
      minuteEnds = at + minuteMs
    }
    return at
  }
  const wait = (at: number) => Math.max(1, Math.ceil((minuteEnds - at) / 1000))
  return {
    count(name) {
      const at = current()
      const counted = (counts.get(name) ?? 0) + 1
      counts.set(name, counted)
      return counted > perMinute ? wait(at) : 0
    },
    check(name) {
      const at = current()
      return (counts.get(name) ?? 0) >= perMinute ? wait(at) : 0
    },
  }
}

/**
 * The network of a client: an IPv4 address, or the /64 of an IPv6 address, because one customer has
 * a whole /64.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString()
}
