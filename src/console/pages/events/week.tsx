import { daysAfter } from '../../../lib/clock.ts'
import { dayInWords, mondayOf, weekName } from '../../components/day.ts'
import { categoryTitles, type PlannedEvent, PreparedLine } from '../../components/event.tsx'

interface WeekProps {
  monday: string
  events: readonly PlannedEvent[]
  today: string
  editor: boolean
}

/** The events of one week. */
export function Week({ monday, events, today, editor }: WeekProps) {
  const name = weekName(monday, today)
  const days = `${dayInWords(monday, 'short')} – ${dayInWords(daysAfter(monday, 6), 'short')}`
  const past = events.filter(({ event }) => event.event_date < today)
  const coming = events.filter(({ event }) => event.event_date >= today)
  const current = monday === mondayOf(today)
  return (
    <section class="week" aria-labelledby={`week-${monday}`}>
      <h2 id={`week-${monday}`}>
        {name ? <span safe>{name}</span> : null}{' '}
        <span class={name ? 'quiet' : ''} safe>
          {days}
        </span>
      </h2>
      <ul class="events">
        {past.map((planned) => (
          <EventRow planned={planned} today={today} editor={editor} />
        ))}
        {current ? (
          <li class="today-line" id="today">
            <span safe>{`Today, ${dayInWords(today, 'long')}`}</span>
          </li>
        ) : null}
        {coming.map((planned) => (
          <EventRow planned={planned} today={today} editor={editor} />
        ))}
        {current && coming.length === 0 ? <li class="quiet">No more events this week.</li> : null}
      </ul>
    </section>
  )
}

interface RowProps {
  planned: PlannedEvent
  today: string
  editor: boolean
}

function EventRow({ planned, today, editor }: RowProps) {
  const { event, ownSlug } = planned
  const past = event.event_date < today
  return (
    <li class={past ? 'event past' : 'event'}>
      <DayMark day={event.event_date} today={today} />
      <div class="event-body">
        <h3>
          <a href={`/events/${event.slug}`} safe>
            {event.name}
          </a>
        </h3>
        <p class="badges">
          <span class="badge" safe>
            {categoryTitles[event.category]}
          </span>
          {ownSlug ? <span class="badge accent">Your team’s</span> : null}
        </p>
        {event.suggested_content && !past ? (
          <p class="quiet suggestion" safe>
            {event.suggested_content}
          </p>
        ) : null}
      </div>
      <div class="event-state">
        <PreparedLine planned={planned} editor={editor} today={today} />
      </div>
    </li>
  )
}

function DayMark({ day, today }: { day: string; today: string }) {
  return (
    <time class={day === today ? 'day-mark now' : 'day-mark'} datetime={day}>
      <span safe>{dayInWords(day, 'weekday')}</span>
      <strong safe>{String(Number(day.slice(8)))}</strong>
      <span safe>{dayInWords(day, 'month')}</span>
    </time>
  )
}
