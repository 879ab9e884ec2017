import { attribute } from '../attribute.ts'
import type { Reader } from '../http/reader.ts'
import { formatExact, formatTime } from './date-time.tsx'

const units = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const

// Creating a format takes longer than using it. Requests choose the locale, so their number is limited.
const formats = new Map<string, Intl.RelativeTimeFormat>()
const maxFormats = 100

function formatFor(locale: string): Intl.RelativeTimeFormat {
  const known = formats.get(locale)
  if (known) return known
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' })
  if (formats.size >= maxFormats) formats.clear()
  formats.set(locale, format)
  return format
}

/** How long ago a moment is, such as `3h ago`, or its date when that is more than a week. */
function formatRelative(reader: Reader, at: Date, now: Date): string {
  const passed = Math.max(0, now.getTime() - at.getTime())
  const [unit, length] = units.findLast(([, ms]) => passed >= ms) ?? units[0]
  const count = Math.floor(passed / length)
  if (unit === 'day' && count > 7) return formatTime(reader, at, 'date')
  // `numeric: auto` has no word for "0 minutes ago".
  return count === 0
    ? formatFor(reader.locale).format(0, 'second')
    : formatFor(reader.locale).format(-count, unit)
}

interface RelativeTimeProps {
  reader: Reader
  at: Date
  now: Date
}

/** How long ago a moment is, with the exact time as its tooltip. */
export function RelativeTime({ reader, at, now }: RelativeTimeProps) {
  return (
    <time datetime={at.toISOString()} title={attribute(formatExact(reader, at))} safe>
      {formatRelative(reader, at, now)}
    </time>
  )
}
