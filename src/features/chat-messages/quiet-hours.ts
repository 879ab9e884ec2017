import { localTime } from '../../lib/clock.ts'

/** The hours of a day in which people get no messages, in minutes since midnight; `from` may be later than `to`. */
interface QuietHours {
  from: number
  to: number
}

const minutesPerDay = 24 * 60

/**
 * The seconds until the quiet hours end in a time zone (IANA); 0 outside of them. In the night in which
 * clocks change, the result can differ by an hour.
 */
export function secondsOfQuiet({ from, to }: QuietHours, timeZone: string, at: Date): number {
  const { hour, minute, second } = localTime(at, timeZone)
  const now = hour * 60 + minute
  const isQuiet = from <= to ? now >= from && now < to : now >= from || now < to
  if (!isQuiet) return 0
  return ((to - now + minutesPerDay) % minutesPerDay) * 60 - second
}
