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
  const { hour, minute, second } = localTime(timeZone, at)
  const now = hour * 60 + minute
  const isQuiet = from <= to ? now >= from && now < to : now >= from || now < to
  if (!isQuiet) return 0
  return ((to - now + minutesPerDay) % minutesPerDay) * 60 - second
}

/** The time of day and the date in a time zone. */
export function localTime(timeZone: string, at: Date) {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((one) => one.type === type)?.value ?? ''
  return {
    /** Such as `2026-11-22`. */
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday').toLowerCase(),
    hour: Number(part('hour')),
    minute: Number(part('minute')),
    second: Number(part('second')),
  }
}
