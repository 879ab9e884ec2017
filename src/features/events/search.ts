import { utcDay } from '../../lib/clock.ts'
import type { Context } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { calendar } from './calendar/index.ts'
import { eventKey, listedYears } from './event.ts'
import { type Occurrence, occurrences } from './occurrences.ts'
import { selectEvents } from './sql.ts'

/** The next events with a word that begins with this text, of the team and of the calendar. */
export async function searchEvents(
  { sql, now, actor }: Context,
  { text, limit }: { text: string; limit: number },
): Promise<Pick<Occurrence, 'slug' | 'name' | 'event_date'>[]> {
  const today = utcDay(now())
  const own = await withDeadline(selectEvents(sql, actor.teamId))
  const wanted = ` ${text.toLowerCase()}`
  return occurrences(own, calendar, listedYears(today), today)
    .filter(
      ({ name, event_date }) => event_date >= today && ` ${name.toLowerCase()}`.includes(wanted),
    )
    .toSorted((one, other) => (eventKey(one) < eventKey(other) ? -1 : 1))
    .slice(0, limit)
}
