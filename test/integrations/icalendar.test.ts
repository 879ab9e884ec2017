import { describe, expect, test } from 'bun:test'
import ICAL from 'ical.js'
import * as v from 'valibot'
import { readEntries } from '../../integrations/icalendar/poll.ts'
import { repetitions } from '../../integrations/icalendar/recurrence/recurrence.ts'
import { Settings } from '../../integrations/icalendar/settings.ts'
import { instantOf } from '../../integrations/icalendar/time-zones/index.ts'
import { windowsZones } from '../../integrations/icalendar/time-zones/windows.ts'
import { isTimeZone } from '../../integrations/kit/dates.ts'
import { growthOf, maxLinearGrowth } from '../support/growth.ts'

const now = new Date('2026-11-20T09:00:00Z')
const url = 'webcal://calendar.example/basic.ics'

function read(document: string, given: object = {}) {
  const settings = v.parse(Settings, { url, ...given })
  return (readEntries(document, settings, now) ?? []).map(({ event }) => {
    if (event.kind !== 'planned') throw new Error('only planned events are in a calendar')
    return event
  })
}

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n')
const event = (...lines: string[]) =>
  ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Party', ...lines, 'END:VEVENT'].join('\r\n')

describe('iCalendar: times', () => {
  test.each([
    ['DTSTART:20261201T120000Z', '2026-12-01T12:00:00.000Z'],
    ['DTSTART:20261201T115960Z', '2026-12-01T12:00:00.000Z'],
    ['DTSTART;TZID=Europe/Berlin:20261201T120000', '2026-12-01T11:00:00.000Z'],
    ['DTSTART;TZID=America/New_York:20261201T120000', '2026-12-01T17:00:00.000Z'],
    ['DTSTART;TZID=Tokyo Standard Time:20261201T120000', '2026-12-01T03:00:00.000Z'],
    ['DTSTART;TZID=/vendor.example/Asia/Kolkata:20261201T120000', '2026-12-01T06:30:00.000Z'],
    ['DTSTART:20261201T120000', '2026-12-01T10:00:00.000Z'],
    ['DTSTART;VALUE=DATE:20261201', '2026-11-30T22:00:00.000Z'],
  ])('an event with %s begins at %s', (line, start) => {
    const [found] = read(calendar('X-WR-TIMEZONE:Europe/Helsinki', event(line)))
    expect(found?.start).toBe(start)
  })

  test('a time in the hour that a change of clocks skips or repeats is one moment', () => {
    const at = (time: string) =>
      new Date(instantOf(Date.parse(time), 'Europe/Berlin')).toISOString()
    expect(at('2027-03-28T01:59:00Z')).toBe('2027-03-28T00:59:00.000Z')
    expect(at('2027-03-28T03:00:00Z')).toBe('2027-03-28T01:00:00.000Z')
    expect(at('2027-10-31T03:00:00Z')).toBe('2027-10-31T02:00:00.000Z')
  })

  test('an event has its length from its end, from its duration, or lasts an hour or a day', () => {
    const hours = (...lines: string[]) => {
      const [found] = read(calendar(event(...lines)))
      return (Date.parse(found?.end ?? '') - Date.parse(found?.start ?? '')) / 3_600_000
    }
    expect(hours('DTSTART:20261201T120000Z', 'DTEND:20261201T140000Z')).toBe(2)
    expect(hours('DTSTART:20261201T120000Z', 'DURATION:P1DT30M')).toBe(24.5)
    expect(hours('DTSTART:20261201T120000Z')).toBe(1)
    expect(hours('DTSTART;VALUE=DATE:20261201')).toBe(24)
    expect(hours('DTSTART:20261201T120000Z', 'DTEND:20261130T120000Z')).toBe(0)
  })
})

describe('iCalendar: series', () => {
  const start = Date.UTC(2026, 0, 15, 10)
  const end = Date.UTC(2030, 0, 1)
  const rule = (text: string) => {
    const parsed = ICAL.Recur.fromString(text)
    return {
      freq: parsed.freq,
      interval: parsed.interval,
      ...(parsed.count !== null && { count: parsed.count }),
      byday: parsed.parts['BYDAY'] ?? [],
      bymonth: parsed.parts['BYMONTH'] ?? [],
      bymonthday: parsed.parts['BYMONTHDAY'] ?? [],
      bysetpos: parsed.parts['BYSETPOS'] ?? [],
    }
  }
  test.each([
    'FREQ=MONTHLY',
    'FREQ=MONTHLY;INTERVAL=3',
    'FREQ=MONTHLY;COUNT=5',
    'FREQ=MONTHLY;BYDAY=1TH',
    'FREQ=MONTHLY;BYDAY=-1FR',
    'FREQ=MONTHLY;BYDAY=2MO,4MO',
    'FREQ=MONTHLY;BYMONTHDAY=1,15',
    'FREQ=MONTHLY;BYMONTHDAY=-1',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=YEARLY',
    'FREQ=YEARLY;INTERVAL=2',
    'FREQ=YEARLY;BYMONTH=3,9;BYMONTHDAY=20',
    'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
  ])('the dates of the series %s are those of ical.js', (text) => {
    const iterator = ICAL.Recur.fromString(text).iterator(
      ICAL.Time.fromJSDate(new Date(start), true),
    )
    const expected: number[] = []
    for (
      let next = iterator.next();
      next && next.toJSDate().getTime() <= end;
      next = iterator.next()
    )
      if (next.toJSDate().getTime() >= start) expected.push(next.toJSDate().getTime())
    const series = { startMs: start, rule: rule(text), lastMs: Number.POSITIVE_INFINITY }
    expect(repetitions(series, [{ from: start, to: end }])).toEqual(expected)
  })

  test.each([
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO',
    'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=SECONDLY',
    'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=23',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=YEARLY;INTERVAL=99999999',
    'FREQ=MONTHLY;INTERVAL=0;COUNT=0',
    'FREQ=NEVER',
    'nonsense',
  ])('the series %s has no dates that are announced', (text) => {
    const one = event('DTSTART:20260115T100000Z', `RRULE:${text}`)
    expect(read(calendar(one)).filter(({ start: at }) => !at.startsWith('2026-12-15'))).toEqual([])
  })

  test('dates that a series leaves out or moves are not announced as planned', () => {
    const series = event(
      'DTSTART;TZID=Europe/Berlin:20261001T180000',
      'RRULE:FREQ=MONTHLY;UNTIL=20270201T000000Z',
      'EXDATE;TZID=Europe/Berlin:20261201T180000',
    )
    const moved = event(
      'RECURRENCE-ID;TZID=Europe/Berlin:20270101T180000',
      'DTSTART;TZID=Europe/Berlin:20270108T190000',
    )
    const starts = (days: number) =>
      read(calendar(series, moved), { days_ahead: days }).map(({ start: at }) => at)
    expect(starts(30)).toEqual([])
    expect(starts(90)).toEqual(['2027-01-08T18:00:00.000Z'])
  })
})

describe('iCalendar: what programs write', () => {
  const starts = (document: string, given: object = {}) =>
    read(document, given).map(({ start }) => start)

  test('a series that was ended before a date is not announced on that date', () => {
    // Google Calendar ends a series at the last second of the day before, in UTC.
    const series = (until: string) =>
      calendar(
        event('DTSTART;TZID=Europe/Berlin:20260130T090000', `RRULE:FREQ=MONTHLY;UNTIL=${until}`),
      )
    expect(starts(series('20261129T225959Z'))).toEqual([])
    expect(starts(series('20261130T080000Z'))).toEqual(['2026-11-30T08:00:00.000Z'])
    expect(starts(series('20261129'))).toEqual([])
    expect(starts(series('20261130'))).toEqual(['2026-11-30T08:00:00.000Z'])
    const far = event(
      'DTSTART;TZID=America/Los_Angeles:20260130T180000',
      'RRULE:FREQ=MONTHLY;UNTIL=20261201T020000Z',
    )
    expect(starts(calendar(far))).toEqual(['2026-12-01T02:00:00.000Z'])
  })

  test('of two versions of an event, the one with the higher number is announced', () => {
    const newer = event('SEQUENCE:2', 'DTSTART:20261125T090000Z')
    const older = event('SEQUENCE:1', 'DTSTART:20261126T090000Z')
    for (const document of [calendar(newer, older), calendar(older, newer)])
      expect(starts(document)).toEqual(['2026-11-25T09:00:00.000Z'])
  })

  test('one date of a series whose series is not in the calendar is announced', () => {
    const date = event('RECURRENCE-ID:20261125T090000Z', 'DTSTART:20261125T100000Z')
    expect(starts(calendar(date))).toEqual(['2026-11-25T10:00:00.000Z'])
    const weekly = event('DTSTART:20261118T090000Z', 'RRULE:FREQ=WEEKLY')
    expect(starts(calendar(weekly, date))).toEqual([])
  })

  test('a day that a series leaves out is left out also when only the day is named', () => {
    const series = event(
      'DTSTART;TZID=Europe/Berlin:20260125T090000',
      'RRULE:FREQ=MONTHLY',
      'EXDATE;VALUE=DATE:20261125',
    )
    expect(starts(calendar(series))).toEqual([])
  })

  test('a day is read without the parameter that names it a day, and a day that does not exist is not', () => {
    const [found] = read(calendar(event('DTSTART:20261130')))
    expect(found).toMatchObject({ is_all_day: true, start: '2026-11-30T00:00:00.000Z' })
    expect(starts(calendar(event('DTSTART:20261131')))).toEqual([])
    expect(starts(calendar(event('DTSTART:20261125T250000Z')))).toEqual([])
  })

  test('a zone that a calendar describes itself is the one with its location or its offsets', () => {
    const zone = (...lines: string[]) =>
      ['BEGIN:VTIMEZONE', 'TZID:Own zone', ...lines, 'END:VTIMEZONE'].join('\r\n')
    const standard = (offset: string) => ['BEGIN:STANDARD', `TZOFFSETTO:${offset}`, 'END:STANDARD']
    const summer = (offset: string) => ['BEGIN:DAYLIGHT', `TZOFFSETTO:${offset}`, 'END:DAYLIGHT']
    const at = (description: string) =>
      starts(calendar(description, event('DTSTART;TZID=Own zone:20261201T120000')))
    expect(at(zone(...standard('+0100'), ...summer('+0200')))).toEqual(['2026-12-01T11:00:00.000Z'])
    expect(at(zone(...standard('-0500'), ...summer('-0400')))).toEqual(['2026-12-01T17:00:00.000Z'])
    expect(at(zone(...standard('+0530')))).toEqual(['2026-12-01T06:30:00.000Z'])
    expect(at(zone('X-LIC-LOCATION:Asia/Tokyo'))).toEqual(['2026-12-01T03:00:00.000Z'])
    expect(at(zone(...standard('+9999')))).toEqual(['2026-12-01T12:00:00.000Z'])
    expect(at('')).toEqual(['2026-12-01T12:00:00.000Z'])
  })

  test('every name that Windows gives to a zone is a zone', () => {
    const unknown = [...windowsZones].filter(([, zone]) => !isTimeZone(zone))
    expect(unknown).toEqual([])
    expect(starts(calendar(event('DTSTART;TZID=Hawaiian Standard Time:20261201T120000')))).toEqual([
      '2026-12-01T22:00:00.000Z',
    ])
  })

  test('HTML and its entities in titles and places become text', () => {
    const html = ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:<b>Sales</b> &amp\\; Marketing &#8211\\; day']
    const document = calendar(
      [...html, 'LOCATION:Room <i>2</i>', 'DTSTART:20261125T090000Z', 'END:VEVENT'].join('\r\n'),
    )
    expect(read(document)).toMatchObject([{ title: 'Sales & Marketing – day', location: 'Room 2' }])
  })

  test('a coming event behind ten thousand past ones is found', () => {
    const past = Array.from({ length: 10_000 }, () => event('DTSTART:20190101T090000Z'))
    expect(starts(calendar(...past, event('DTSTART:20261125T090000Z')))).toEqual([
      '2026-11-25T09:00:00.000Z',
    ])
  })
})

test('guests, organizers, dial-in data and private events of a calendar are not stored', () => {
  const hidden = [
    'ORGANIZER;CN=Canary:mailto:canary@example.com',
    'ATTENDEE;CN=Canary;PARTSTAT=DECLINED:mailto:canary@example.com',
    'DESCRIPTION:PIN canary',
    'LOCATION:https://video.example/canary?pwd=1',
    'X-CANARY:canary',
    'ATTACH:https://files.example/canary.pdf',
  ]
  const open = event('DTSTART:20261201T120000Z', ...hidden)
  const closed = event('DTSTART:20261201T120000Z', 'SUMMARY:Canary', 'CLASS:CONFIDENTIAL')
  const found = read(calendar(open, closed.replace('UID:1', 'UID:2')))
  expect(found).toHaveLength(1)
  expect(JSON.stringify(found).toLowerCase()).not.toContain('canary')
})

test('a broken event of a calendar hides no other event', () => {
  const broken = ['BEGIN:VEVENT', 'SUMMARY', ';;;', 'DTSTART:never', 'END:VEVENT'].join('\r\n')
  const unfinished = ['BEGIN:VEVENT', 'SUMMARY:x'].join('\r\n')
  const found = read(calendar(broken, unfinished, event('DTSTART:20261201T120000Z')))
  expect(found.map(({ title }) => title)).toEqual(['Party'])
})

test('the time to read a calendar does not depend on the age of its series', async () => {
  const rules = ['FREQ=MONTHLY', 'FREQ=YEARLY', 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR']
  const series = (years: number) =>
    rules.map((text) =>
      event(`DTSTART;TZID=Europe/Berlin:${2026 - years}0115T100000`, `RRULE:${text}`),
    )
  expect(read(calendar(...series(90))).length).toBe(read(calendar(...series(9))).length)
  const growth = await growthOf((years) => read(calendar(...series(years))), 9, 4)
  expect(growth).toBeLessThan(4)
})

test('a date that was moved from long ago into the near future is announced', () => {
  const series = event('DTSTART;TZID=Europe/Berlin:20240115T100000', 'RRULE:FREQ=MONTHLY')
  const moved = event(
    'RECURRENCE-ID;TZID=Europe/Berlin:20240315T100000',
    'DTSTART;TZID=Europe/Berlin:20261201T100000',
  )
  expect(read(calendar(series, moved), { days_ahead: 20 }).map(({ start }) => start)).toEqual([
    '2026-12-01T09:00:00.000Z',
  ])
})

const cases = [
  {
    name: 'many events',
    make: (n: number) => event('DTSTART:20261201T120000Z\r\n').repeat(n / 20),
  },
  {
    name: 'long series',
    make: (n: number) =>
      event('DTSTART:19000101T000000Z', 'RRULE:FREQ=MONTHLY')
        .concat('\r\n')
        .repeat(n / 200),
  },
  { name: 'folded lines', make: (n: number) => event(`DESCRIPTION:${'x\r\n '.repeat(n / 4)}`) },
  { name: 'escaped signs', make: (n: number) => event(`DESCRIPTION:${'\\,'.repeat(n)}`) },
  {
    name: 'excluded dates',
    make: (n: number) => event(`EXDATE:${'20261201T120000Z,'.repeat(n / 10)}`),
  },
  { name: 'beginnings', make: (n: number) => 'BEGIN:VEVENT\r\n'.repeat(n) },
  {
    name: 'parameters',
    make: (n: number) => event(`DTSTART;${'A=b;'.repeat(n / 10)}A=c:20261201T120000Z`),
  },
]
test.each(cases)(
  'a calendar made to take much time is read in time that grows with its size: $name',
  async ({ make }) => {
    const growth = await growthOf((size) => read(calendar(make(size))), 4_000)
    expect(growth).toBeLessThan(maxLinearGrowth)
  },
)

describe('iCalendar: descriptions', () => {
  const descriptionOf = (text: string) =>
    read(calendar(event('DTSTART:20261201T120000Z', `DESCRIPTION:${text}`)), {
      include_description: true,
    })[0]?.description

  test('HTML, which Outlook and Google write into descriptions, becomes text', () => {
    const html = '<html-blob><b>Bring</b> your lunch!<br>Room 4</html-blob>'
    expect(descriptionOf(html)).toBe('Bring your lunch!\nRoom 4')
    expect(descriptionOf('Is 3 < 4\\, or 5 > 4?')).toBe('Is 3 < 4, or 5 > 4?')
  })

  test('a sentence of a paragraph in HTML whose source is wrapped is one line', () => {
    const html =
      '<p>We are happy to\\ninvite <b>you</b>.</p>\\n<div>Bring\\ncake</div>\\nRoom 4\\nBerlin'
    expect(descriptionOf(html)).toBe('We are happy to invite you.\n\nBring cake\nRoom 4\nBerlin')
  })

  test.each([
    'See you there!\\n________________________________________________________________________________\\nMicrosoft Teams meeting\\nJoin: https://teams.example/l/19',
    'See you there!\\n\\nAda is inviting you to a scheduled Zoom meeting.\\nhttps://zoom.example/j/1?pwd=canary',
    'See you there!\\nMeeting ID: 123 456\\nPasscode: canary',
    'See you there!\\n-::~:~::~:~:~:~:~:~:~:~:~:~:~:~:~:~:~::~:~::-\\nJoin with Google Meet: https://meet.example/abc',
    'See you there!\\nhttps://zoom.example/j/1?pwd=canary',
    'See you <b>there!</b>\\n\\nJoin Zoom Meeting\\nhttps://zoom.example/j/1\\nPasscode: canary',
    '<p>See you there!\\nJoin Zoom Meeting\\nPasscode: canary</p>',
    '<div>See you there!\\n<b>Meeting ID: 123 456</b>\\nPasscode: canary</div>',
    '<p>See you there!\\nhttps://zoom.example/j/1?pwd=canary</p>',
    '<p>See you there!\\nMeeting ID: 123 456\\nPasscode: canary',
    '<p>See you there!</p>\\n<p>Join Zoom Meeting</p>\\n<p>Passcode: canary</p>',
    'See you there&#33;\\nMeeting ID: 123 456\\nPasscode: canary',
  ])('how to join a call is not part of the description %s', (text) => {
    expect(descriptionOf(text)).toBe('See you there!')
  })
})
