import { expect, test } from 'bun:test'
import { daysAfter, localTime, momentOf } from '../../src/lib/clock.ts'

const zones = [
  ...['UTC', 'Europe/Berlin', 'Africa/Casablanca', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...[
    'Pacific/Chatham',
    'Pacific/Apia',
    'America/New_York',
    'America/St_Johns',
    'Pacific/Honolulu',
  ],
]

/** `YYYY-MM-DD HH:MM` in a time zone. */
function shownIn(timeZone: string, at: Date): string {
  const { day, hour, minute } = localTime(at, timeZone)
  return `${day} ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

test.each([
  ['America/New_York', '2026-03-08', '02:15', '2026-03-08 03:15'],
  ['America/St_Johns', '2026-03-08', '02:15', '2026-03-08 03:15'],
  ['America/Santiago', '2026-09-06', '00:30', '2026-09-06 01:30'],
  ['Europe/Berlin', '2026-03-29', '02:15', '2026-03-29 03:15'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-04 02:45'],
  ['Pacific/Chatham', '2026-09-27', '02:50', '2026-09-27 03:50'],
  ['Pacific/Apia', '2011-12-30', '12:00', '2011-12-31 12:00'],
])(
  'the time that the change of clocks in %s on %s at %s leaves out is the one after it',
  (timeZone, day, time, shown) => {
    expect(shownIn(timeZone, momentOf(day, time, timeZone))).toBe(shown)
  },
)

test.each(zones)(
  'every other time of a year in %s is the moment at which clocks show it',
  (timeZone) => {
    const daysWithOthers = new Set<string>()
    for (let day = '2026-01-01'; day < '2027-01-01'; day = daysAfter(day, 1)) {
      for (const time of ['00:00', '00:30', '01:30', '02:15', '03:50', '12:00', '23:59']) {
        const shown = shownIn(timeZone, momentOf(day, time, timeZone))
        if (shown !== `${day} ${time}`) daysWithOthers.add(day)
      }
    }
    // Clocks leave out some of these times on one day of the year, or on none.
    expect(daysWithOthers.size).toBeLessThan(2)
  },
)

test('a local time that comes twice, because clocks are set back, is read as one of both', () => {
  const at = momentOf('2026-11-01', '01:30', 'America/New_York').toISOString()
  expect(['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']).toContain(at)
})

test.each([
  ['2026-02-30x', '12:00'],
  ['2026-01-01', '25:00'],
  ['', ''],
])('the day “%s” and the time “%s” are no moment', (day, time) => {
  expect(momentOf(day, time, 'UTC').getTime()).toBeNaN()
})
