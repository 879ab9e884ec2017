import type { CalendarEvent } from '../../contract/events/event.ts'
import type { Language } from '../../contract/vocabulary.ts'
import { utcDay } from '../../lib/clock.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { wordsOf } from '../../lib/text/words.ts'
import { calendar } from './calendar/index.ts'
import { eventInLanguage } from './days/in-language.ts'
import { eventKey, listedYears, toFound } from './event.ts'
import { occurrences } from './occurrences.ts'
import { selectEvents } from './sql.ts'

interface EventSearch {
  text: string
  limit: number
  /** The language in which the names of well-known days are returned, and searched too. */
  language: Language
}

/** The next events that have, for each of these words, a word that begins with it, of the team and of the calendar. */
export async function searchEvents(
  { sql, now, actor }: Context,
  { text, limit, language }: EventSearch,
): Promise<Pick<CalendarEvent, 'slug' | 'name' | 'event_date'>[]> {
  const today = utcDay(now())
  const rows = await withDeadline(selectEvents(sql, actor.teamId))
  const coming = occurrences(rows, calendar, listedYears(today), today).filter(
    ({ event_date }) => event_date >= today,
  )
  // A result has no texts besides its name, so those of up to 4,000 events are not read.
  const own = rows.map(({ slug }) => ({ slug, description: null, suggested_content: null }))
  const wanted = wordsOf(text).map((word) => ` ${word.toLowerCase()}`)
  return coming
    .toSorted((one, other) => (eventKey(one) < eventKey(other) ? -1 : 1))
    .map((one) => ({ shown: eventInLanguage(toFound(one, own), language).event, name: one.name }))
    .filter(({ shown, name }) =>
      [shown.name, name].some((words) =>
        wanted.every((word) => ` ${words.toLowerCase()}`.includes(word)),
      ),
    )
    .slice(0, limit)
    .map(({ shown }) => shown)
}
