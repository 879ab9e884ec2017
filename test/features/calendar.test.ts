import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import * as v from 'valibot'
import { slug } from '../../src/contract/text.ts'
import { eventCategories } from '../../src/contract/vocabulary.ts'
import { calendar } from '../../src/features/events/calendar/index.ts'
import { occurrences } from '../../src/features/events/occurrences.ts'

const datesOf = (name: string, year: number): string[] => {
  const day = calendar.find(({ slug }) => slug === name)
  if (!day) throw new Error(`no day ${name}`)
  return day.dates(year)
}

// What calendars on the wall say, by day.
const known: Record<string, string[]> = {
  'international-womens-day': ['2026-03-08', '2027-03-08'],
  'martin-luther-king-jr-day': ['2024-01-15', '2025-01-20', '2026-01-19', '2027-01-18'],
  'safer-internet-day': [
    '2019-02-05',
    '2020-02-11',
    '2021-02-09',
    '2022-02-08',
    '2025-02-11',
    '2026-02-10',
  ],
  'employee-appreciation-day': ['2025-03-07', '2026-03-06'],
  'world-password-day': ['2024-05-02', '2025-05-01', '2026-05-07'],
  'mothers-day': ['2024-05-12', '2025-05-11', '2026-05-10'],
  'global-accessibility-awareness-day': ['2024-05-16', '2025-05-15', '2026-05-21'],
  'fathers-day': ['2024-06-16', '2025-06-15', '2026-06-21'],
  'system-administrator-appreciation-day': ['2024-07-26', '2025-07-25', '2026-07-31'],
  'labor-day': ['2024-09-02', '2025-09-01', '2026-09-07'],
  'world-first-aid-day': ['2024-09-14', '2025-09-13', '2026-09-12'],
  'programmers-day': ['2024-09-12', '2025-09-13', '2028-09-12'],
  'customer-experience-day': ['2024-10-01', '2025-10-07'],
  'world-sight-day': ['2024-10-10', '2025-10-09', '2026-10-08'],
  'ada-lovelace-day': ['2023-10-10', '2024-10-08', '2025-10-14'],
  'thanksgiving-in-canada': ['2024-10-14', '2025-10-13', '2026-10-12'],
  'thanksgiving-in-the-united-states': ['2024-11-28', '2025-11-27', '2026-11-26'],
  'giving-tuesday': ['2024-12-03', '2025-12-02', '2026-12-01'],
  'easter-sunday': [
    '2008-03-23',
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2027-03-28',
    '2038-04-25',
  ],
  'shrove-tuesday': ['2024-02-13', '2025-03-04', '2026-02-17'],
  'mothering-sunday': ['2024-03-10', '2025-03-30', '2026-03-15'],
  'good-friday': ['2024-03-29', '2025-04-18', '2026-04-03'],
  'orthodox-easter': ['2024-05-05', '2025-04-20', '2026-04-12', '2027-05-02'],
  'lunar-new-year': ['2025-01-29', '2026-02-17', '2027-02-06', '2030-02-03'],
  'mid-autumn-festival': ['2025-10-06', '2026-09-25', '2027-09-15'],
  diwali: ['2025-10-20', '2026-11-08', '2027-10-29'],
}

describe('The calendar that Tidings ships', () => {
  test.each(Object.entries(known))(
    '%s has the dates that printed calendars have',
    (name, dates) => {
      for (const date of dates) expect(datesOf(name, Number.parseInt(date, 10))).toEqual([date])
    },
  )

  test('every event has one date in every year from 2026 to 2036', () => {
    for (let year = 2026; year <= 2036; year++) {
      for (const day of calendar) {
        const dates = day.dates(year)
        expect([day.slug, year, dates.length]).toEqual([day.slug, year, expect.any(Number)])
        expect(dates).not.toBeEmpty()
        for (const date of dates) expect(new Date(date).toISOString()).toStartWith(`${year}-`)
        expect(dates.toSorted()).toEqual(dates)
      }
    }
  })

  // The Hebrew and the Umm al-Qura calendar are computed by ICU too, independently of our tables.
  test.each([
    ['rosh-hashanah', 'hebrew', 'Tishri', 1],
    ['yom-kippur', 'hebrew', 'Tishri', 10],
    ['hanukkah', 'hebrew', 'Kislev', 25],
    ['passover', 'hebrew', 'Nisan', 15],
    ['eid-al-fitr', 'islamic-umalqura', 'Shawwal', 1],
    ['eid-al-adha', 'islamic-umalqura', 'Dhuʻl-Hijjah', 10],
  ])('%s agrees with the %s calendar', (name, system, month, day) => {
    const zone = { timeZone: 'UTC' } as const
    const months = new Intl.DateTimeFormat(`en-u-ca-${system}`, { ...zone, month: 'long' })
    const days = new Intl.DateTimeFormat(`en-u-ca-${system}`, { ...zone, day: 'numeric' })
    for (let year = 2025; year <= 2036; year++) {
      const dates = datesOf(name, year)
      const found = dates.map((date) => [
        months.format(new Date(date)),
        days.format(new Date(date)),
      ])
      expect(found).toEqual(dates.map(() => [month, String(day)]))
    }
  })

  test('the calendar has 60 to 90 events in all categories, each complete and listed once', () => {
    expect(calendar.length).toBeWithin(60, 91)
    expect(new Set(calendar.map(({ slug }) => slug)).size).toBe(calendar.length)
    expect(new Set(calendar.map(({ category }) => category))).toEqual(new Set(eventCategories))
    for (const day of calendar) {
      expect(v.is(slug, day.slug)).toBeTrue()
      expect(day.slug).not.toMatch(/-\d{4}$/)
      for (const text of [day.description, day.suggested_content]) {
        expect(text).toMatch(/^[^!]{10,250}[.?]$/)
      }
    }
  })
})

describe('The slugs of a list of events', () => {
  const bases = ['earth-day', 'halloween', 'party', 'earth-day-2027', 'party-2026']
  const own = fc.uniqueArray(
    fc.record({
      slug: fc.constantFrom(...bases, 'earth-day-2026', 'party-2027-2026', 'party-2027'),
      name: fc.constant('Ours'),
      event_date: fc.constantFrom('2024-02-29', '2026-05-01', '2027-05-01', '2031-05-01'),
      category: fc.constantFrom(...eventCategories),
      recurs: fc.boolean(),
    }),
    { selector: ({ slug }) => slug },
  )
  const day = fc
    .integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) })
    .map((at) => new Date(at).toISOString().slice(0, 10))

  test('no slug occurs twice, and every event of the team has its own slug', () => {
    fc.assert(
      fc.property(own, day, (events, today) => {
        const slugs = occurrences(events, calendar, [2026, 2027], today).map(({ slug }) => slug)
        expect(new Set(slugs).size).toBe(slugs.length)
        expect(slugs).toContainValues(
          events.filter((event) => !event.recurs).map(({ slug }) => slug),
        )
      }),
    )
  })

  test('the slug without a year refers to exactly one event: the next one', () => {
    fc.assert(
      fc.property(day, (today) => {
        const listed = occurrences([], calendar, [2026, 2027], today)
        for (const { slug } of calendar) {
          const [next, ...others] = listed.filter((event) => event.slug === slug)
          const coming = listed.filter((event) => event.originSlug === slug)
          expect(others).toEqual([])
          expect(next?.event_date).toBe(
            coming
              .map(({ event_date }) => event_date)
              .filter((date) => date >= today)
              .sort()[0],
          )
        }
      }),
    )
  })

  test('an event that recurs on 29 February is on 28 February in a common year, and never before its first date', () => {
    const event = {
      slug: 'leap',
      name: 'Leap',
      event_date: '2028-02-29',
      category: 'corporate',
      recurs: true,
    } as const
    const dates = (years: number[]) =>
      occurrences([event], [], years, '2026-01-01').map(({ event_date }) => event_date)
    expect(dates([2028, 2029])).toEqual(['2028-02-29', '2029-02-28'])
    expect(dates([2027, 2028])).toEqual(['2028-02-29'])
    expect(dates([2025, 2026])).toEqual(['2028-02-29'])
  })
})
