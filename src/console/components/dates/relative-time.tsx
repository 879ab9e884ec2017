import { boundedCache } from '../../../lib/bounded-cache.ts'
import { dayMs, hourMs } from '../../../lib/clock.ts'
import { attribute } from '../../attribute.ts'
import type { UserLocale } from '../../http/user-locale.ts'
import { formatExact, formatTime } from './date-time.tsx'

const units = [
  ['minute', 60_000],
  ['hour', hourMs],
  ['day', dayMs],
] as const

// Creating a format takes longer than using it. Requests choose the locale.
const formatOf = boundedCache<Intl.RelativeTimeFormat>(100)

const formatFor = (locale: string) =>
  formatOf(locale, () => {
    // In German, the narrow style shortens minutes to "m".
    const style = locale.startsWith('en') ? 'narrow' : 'short'
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style })
  })

/** How long ago a moment is, such as `3h ago`. */
function formatRelative(userLocale: UserLocale, at: Date, now: Date): string {
  const passed = Math.max(0, now.getTime() - at.getTime())
  const [unit, length] = units.findLast(([, ms]) => passed >= ms) ?? units[0]
  const count = Math.floor(passed / length)
  // `numeric: auto` has no word for "0 minutes ago".
  return count === 0
    ? formatFor(userLocale.locale).format(0, 'second')
    : formatFor(userLocale.locale).format(-count, unit)
}

/** A week, which the last day completes. */
const maxRelativeMs = 8 * dayMs - 1

interface RelativeTimeProps {
  userLocale: UserLocale
  at: Date
  now: Date
}

/** How long ago a moment is, or its date after a week, with the exact time as its tooltip. */
export function RelativeTime({ userLocale, at, now }: RelativeTimeProps) {
  const isDate = now.getTime() - at.getTime() > maxRelativeMs
  return (
    <time
      datetime={at.toISOString()}
      title={attribute(formatExact(userLocale, at))}
      data-style={isDate ? 'date' : 'relative'}
      safe
    >
      {isDate ? formatTime(userLocale, at, 'date') : formatRelative(userLocale, at, now)}
    </time>
  )
}
