import type { Language } from '../../src/contract/vocabulary.ts'
import { localeOf } from '../../src/locales/index.ts'
import type { ComposeContext } from '../kit/adapter.ts'
import type { Composed } from '../kit/composed.ts'
import { buildItem, headline, paragraph } from '../kit/item.ts'
import type { Settings } from './settings.ts'

/** The stored event: one date of the calendar, or that it was cancelled. */
export type DateEvent =
  | { kind: 'cancelled'; key: string }
  | {
      kind: 'planned'
      key: string
      title: string
      /** Plain text; empty unless the connection includes descriptions. */
      description: string
      location: string
      url: string | null
      /** RFC 3339. */
      start: string
      end: string
      is_all_day: boolean
      time_zone: string
      /** When the calendar was read, RFC 3339. */
      read_at: string
    }

const externalIdOf = (key: string) => `icalendar:event:${key}`
/** The slug of the event in the calendar of the team. */
const slugOf = (key: string) => `calendar-${key.replaceAll(':', '-')}`

/** A date becomes an announcement, and an event in the calendar of the team. */
export async function composeDate({
  event,
  language,
}: ComposeContext<Settings, DateEvent>): Promise<Composed> {
  const { key } = event
  const externalId = externalIdOf(key)
  if (event.kind === 'cancelled')
    return { kind: 'withdraw', externalIds: [externalId], eventSlugs: [slugOf(key)] }
  const title = headline(event.title)
  const when = [whenInWords(event, language), event.location].filter((part) => part !== '')
  const item = buildItem({
    title,
    body: [`<p>${when.map(strong).join('<br>')}</p>`, paragraphs(event.description)]
      .filter((part) => part !== '')
      .join('\n'),
    url: event.url ?? undefined,
    blockType: 'event_announcement',
    externalId,
  })
  const date = dayOf(event.start, event)
  const calendarEvent = { slug: slugOf(key), name: title, date }
  return {
    kind: 'items',
    items: [{ ...item, calendarEvent }],
    updateExisting: true,
    sourceUpdatedAt: event.read_at,
  }
}

/** The time stands out; the location follows it. */
const strong = (text: string, index: number): string =>
  index === 0 ? `<strong>${Bun.escapeHTML(text)}</strong>` : Bun.escapeHTML(text)

const paragraphs = (text: string): string =>
  text
    .split(/\n\s*\n/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => paragraph(one).replaceAll('\n', '<br>'))
    .join('\n')

type Planned = Extract<DateEvent, { kind: 'planned' }>

/** The day on which an event begins, `YYYY-MM-DD`. */
const dayOf = (moment: string, { time_zone: timeZone }: Planned): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(new Date(moment))

/** When an event is, in the language of the team: `Monday, 5 January, 14:00 – 16:00`. */
function whenInWords(event: Planned, language: Language): string {
  const { time_zone: timeZone, is_all_day } = event
  const [start, end] = [new Date(event.start), new Date(event.end)]
  const day: Intl.DateTimeFormatOptions = {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  }
  const time: Intl.DateTimeFormatOptions = { hour: 'numeric', minute: '2-digit' }
  // The end of an event that lasts whole days is the day after.
  const last = is_all_day ? new Date(Math.max(start.getTime(), end.getTime() - 1)) : end
  const format = new Intl.DateTimeFormat(localeOf(language), is_all_day ? day : { ...day, ...time })
  return last.getTime() === start.getTime() ? format.format(start) : format.formatRange(start, last)
}
