import { daysAfter } from '../../../lib/clock.ts'
import { attribute } from '../../attribute.ts'
import { mondayOf, weekLabel } from '../../components/dates/calendar-date.ts'
import { formatDate } from '../../components/dates/date-time.tsx'
import {
  EventBlocks,
  type EventWithBlockCounts,
  eventCategoryLabels,
} from '../../components/event.tsx'
import type { UserLocale } from '../../http/user-locale.ts'
import type { Translate } from '../../locales/index.ts'

interface WeekProps {
  t: Translate
  userLocale: UserLocale
  monday: string
  events: readonly EventWithBlockCounts[]
  today: string
  canEdit: boolean
}

/** The events of one week. */
export function Week({ t, userLocale, monday, events, today, canEdit }: WeekProps) {
  const name = weekLabel(monday, today, t.language)
  const days = `${formatDate(userLocale, monday, 'dayAndMonth')} – ${formatDate(userLocale, daysAfter(monday, 6), 'dayAndMonth')}`
  const past = events.filter(({ event }) => event.event_date < today)
  const coming = events.filter(({ event }) => event.event_date >= today)
  const current = monday === mondayOf(today)
  return (
    <section class="week" aria-labelledby={`week-${monday}`}>
      <h2 id={`week-${monday}`}>
        {name ? <span safe>{name}</span> : null}{' '}
        <span class={name ? 'muted' : ''} safe>
          {days}
        </span>
      </h2>
      <ul class="events">
        {past.map((item) => (
          <EventRow t={t} userLocale={userLocale} item={item} today={today} canEdit={canEdit} />
        ))}
        {current ? (
          <li class="today-line" id="today">
            <span safe>
              {t('events.today', { value: formatDate(userLocale, today, 'fullDate') })}
            </span>
          </li>
        ) : null}
        {coming.map((item) => (
          <EventRow t={t} userLocale={userLocale} item={item} today={today} canEdit={canEdit} />
        ))}
        {current && coming.length === 0 ? (
          <li class="muted">{t('events.no_more_events_this_week')}</li>
        ) : null}
      </ul>
    </section>
  )
}

interface RowProps {
  t: Translate
  userLocale: UserLocale
  item: EventWithBlockCounts
  today: string
  canEdit: boolean
}

function EventRow({ t, userLocale, item, today, canEdit }: RowProps) {
  const { event, ownSlug } = item
  const past = event.event_date < today
  return (
    <li class={past ? 'event past' : 'event'}>
      <CalendarDay userLocale={userLocale} day={event.event_date} today={today} />
      <div class="event-body">
        <h3>
          <a href={`/events/${event.slug}`} safe>
            {event.name}
          </a>
        </h3>
        <p class="badges">
          <span class="badge">{t(eventCategoryLabels[event.category])}</span>
          {ownSlug ? <span class="badge accent">{t('events.your_teams')}</span> : null}
        </p>
        {event.suggested_content && !past ? (
          <p class="muted suggestion" safe>
            {event.suggested_content}
          </p>
        ) : null}
      </div>
      <div class="event-state">
        <EventBlocks t={t} item={item} canEdit={canEdit} today={today} />
      </div>
    </li>
  )
}

function CalendarDay({
  userLocale,
  day,
  today,
}: {
  userLocale: UserLocale
  day: string
  today: string
}) {
  return (
    <time
      class={day === today ? 'calendar-day today' : 'calendar-day'}
      datetime={day}
      title={attribute(formatDate(userLocale, day, 'fullDate'))}
    >
      <span safe>{formatDate(userLocale, day, 'weekday')}</span>
      <strong safe>{String(Number(day.slice(8)))}</strong>
      <span safe>{formatDate(userLocale, day, 'month')}</span>
    </time>
  )
}
