import * as v from 'valibot'
import { webAddress } from '../../src/contract/text.ts'
import { fetchDocument } from '../kit/polling/fetch-document.ts'
import type { PollContext, PollResult, SourceEntry } from '../kit/polling/polling.ts'
import { ProviderError } from '../kit/provider-error.ts'
import type { Json } from '../kit/requests/received.ts'
import { shortHash } from '../kit/text/plain-text.ts'
import { readCalendar } from './calendar.ts'
import { readDescription } from './description.ts'
import type { DateEvent } from './news.ts'
import { maxLengthMs, type Occurrence, occurrencesIn } from './recurrence/occurrences.ts'
import { dayMs } from './recurrence/recurrence.ts'
import { addressOf, type Settings } from './settings.ts'
import { timeZoneOf } from './time-zones/index.ts'

/** A calendar with more events in its window is not one of announcements; only the next ones are read. */
const maxEntries = 200

/** Reads the events of a calendar that are near. */
export async function pollCalendar({
  settings,
  provider,
  now,
  state,
  read,
}: PollContext<Settings, DateEvent>): Promise<PollResult<DateEvent>> {
  const address = addressOf(settings)
  if (!v.is(webAddress, address))
    throw new ProviderError('refused', 'The url is not an https address. Enter it again.')
  const request = { provider, setting: 'url', address, accept: 'text/calendar, */*;q=0.1' }
  const day = now.toISOString().slice(0, 10)
  // With every day, other events are near, also when the calendar has not changed.
  const fetched = await fetchDocument({ ...request, state: isOf(state, day) ? state : null })
  if (fetched === 'unchanged') return { kind: 'unchanged' }
  if (fetched === 'ended') return { kind: 'ended', reason: 'The source has ended (410).' }
  const entries = await read(fetched.document)
  if (entries === null) {
    const message =
      'This address has no calendar in the iCalendar format. Enter the address that ends in .ics as url.'
    throw new ProviderError('refused', message)
  }
  const found = { kind: 'entries', entries, state: { ...fetched.state, day } } as const
  const last = entries[maxEntries - 1]?.event
  return last?.kind === 'planned' ? { ...found, completeUntil: new Date(last.start) } : found
}

const State = v.object({ day: v.string() })
const isOf = (state: Json, day: string) => v.is(State, state) && state.day === day

/** The events of a document that are near; null when it is not a calendar. */
export function readEntries(
  text: string,
  settings: Settings,
  now: Date,
): SourceEntry<DateEvent>[] | null {
  const from = now.getTime()
  const to = from + settings.days_ahead * dayMs
  const isNear = (day: number) => !(day < from - maxLengthMs || day > to + 2 * dayMs)
  const calendar = readCalendar(text, isNear)
  if (calendar === null) return null
  const window = {
    from,
    to,
    timeZone: settings.time_zone ?? timeZoneOf(calendar.zone),
  }
  return occurrencesIn(calendar.events, window)
    .slice(0, maxEntries)
    .map((occurrence) => entryOf(occurrence, settings, now))
}

function entryOf(
  { key, event, startMs, endMs, isAllDay, timeZone }: Occurrence,
  { include_description }: Settings,
  now: Date,
): SourceEntry<DateEvent> {
  const shown = {
    title: event.title,
    description: include_description ? readDescription(event.description) : '',
    location: isAddressOnly(event.location) ? '' : event.location,
    url: v.is(webAddress, event.url) ? event.url : null,
    start: new Date(startMs).toISOString(),
    end: new Date(endMs).toISOString(),
    is_all_day: isAllDay,
    time_zone: timeZone,
  }
  return {
    key,
    version: shortHash(JSON.stringify(shown)),
    endsAt: new Date(endMs),
    eventName: 'event.planned',
    event: { kind: 'planned', key, ...shown, read_at: now.toISOString() },
  }
}

/** A location that is the address of a video call, which often contains a password. */
const isAddressOnly = (location: string) => /https?:\/\//i.test(location)
