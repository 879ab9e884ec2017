import { Elysia } from 'elysia'
import * as v from 'valibot'
import { calendarDate } from '../../../contract/text.ts'
import { type EventCategory, eventCategories } from '../../../contract/vocabulary.ts'
import { listEventsBetween } from '../../../features/events/index.ts'
import { daysAfter } from '../../../lib/clock.ts'
import { attribute } from '../../attribute.ts'
import { mondayOf, todayOf } from '../../components/dates/calendar-date.ts'
import {
  type EventWithBlockCounts,
  eventCategoryLabels,
  hasNoBlocks,
  newEventPath,
  withBlockCounts,
} from '../../components/event.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHeader } from '../../components/layout/layout.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import type { UserLocale } from '../../http/user-locale.ts'
import type { Translate } from '../../locales/index.ts'
import { can } from '../../roles.ts'
import { Week } from './week.tsx'

/** The number of weeks on a page. */
const weeksShown = 8
// All weeks of a page must be within the years that a date can have.
const limits = { first: '1900-01-01', last: '2099-10-01' }

/** The filter in the query of the URL. */
interface EventFilter {
  /** The Monday of the first week. */
  from: string
  categories: readonly EventCategory[]
  /** Shows only events without blocks. */
  withoutBlocks: boolean
}

async function show(context: MemberRequest): Promise<Response> {
  const { t } = context
  const today = todayOf(context.userLocale, context.deps.now())
  const filter = parseEventFilter(context.url, today)
  const lastDay = daysAfter(filter.from, 7 * weeksShown - 1)
  const query = { from: filter.from, to: lastDay, category: filter.categories }
  const found = await listEventsBetween(context.ctx, query)
  const events = await withBlockCounts(context, found)
  const shown = filter.withoutBlocks ? events.filter(hasNoBlocks) : events
  const canEdit = can(context.member.role, 'editor')
  return await layout(
    context,
    { title: t('common.events'), section: 'events', isCompressed: true },
    <>
      <PageHeader title={t('common.events')} lead={t('events.upcoming_events_of_your_team')}>
        {canEdit ? (
          <a class="button primary" href={newEventPath}>
            <Icon name="plus" />
            {t('events.new_event')}
          </a>
        ) : null}
      </PageHeader>
      <Filters t={t} filter={filter} today={today} />
      <Weeks
        t={t}
        userLocale={context.userLocale}
        events={shown}
        filter={filter}
        today={today}
        canEdit={canEdit}
      />
      <WeekPagination t={t} filter={filter} lastDay={lastDay} today={today} />
    </>,
  )
}

function parseEventFilter({ searchParams }: URL, today: string): EventFilter {
  const from = searchParams.get('from') ?? ''
  const wanted = searchParams.getAll('category')
  const day = v.is(calendarDate, from) ? from : today
  const inside = day < limits.first || day > limits.last ? today : day
  return {
    from: mondayOf(inside),
    categories: eventCategories.filter((category) => wanted.includes(category)),
    withoutBlocks: searchParams.get('open') === '1',
  }
}

/** The path of the page with a filter. */
function eventsPath({ from, categories, withoutBlocks: open }: EventFilter, today: string): string {
  const query = new URLSearchParams()
  if (from !== mondayOf(today)) query.set('from', from)
  for (const category of categories) query.append('category', category)
  if (open) query.set('open', '1')
  return query.size > 0 ? `/events?${query}` : '/events'
}

const toggleCategory = (filter: EventFilter, category: EventCategory): EventFilter => ({
  ...filter,
  categories: filter.categories.includes(category)
    ? filter.categories.filter((one) => one !== category)
    : [...filter.categories, category],
})

function Filters({ t, filter, today }: { t: Translate; filter: EventFilter; today: string }) {
  const { categories, withoutBlocks } = filter
  return (
    <nav class="chips" aria-label={t('events.filter')}>
      <Chip
        isActive={categories.length === 0}
        path={eventsPath({ ...filter, categories: [] }, today)}
        label={t('events.all')}
      />
      {eventCategories.map((category) => (
        <Chip
          isActive={categories.includes(category)}
          path={eventsPath(toggleCategory(filter, category), today)}
          label={t(eventCategoryLabels[category])}
        />
      ))}
      <Chip
        isActive={withoutBlocks}
        path={eventsPath({ ...filter, withoutBlocks: !withoutBlocks }, today)}
        label={t('events.no_blocks_yet')}
      />
    </nav>
  )
}

function Chip({ isActive, path, label }: { isActive: boolean; path: string; label: string }) {
  return (
    <a class="chip" href={attribute(path)} aria-current={isActive ? 'true' : undefined} safe>
      {label}
    </a>
  )
}

interface WeeksProps {
  t: Translate
  userLocale: UserLocale
  events: readonly EventWithBlockCounts[]
  filter: EventFilter
  today: string
  canEdit: boolean
}

function Weeks({ t, userLocale, events, filter, today, canEdit }: WeeksProps) {
  const weeks = Array.from({ length: weeksShown }, (_, week) => daysAfter(filter.from, 7 * week))
    .map((monday) => ({ monday, events: events.filter((one) => inWeek(one, monday)) }))
    .filter(({ monday, events }) => events.length > 0 || monday === mondayOf(today))
  if (events.length === 0)
    return <NothingFound t={t} filter={filter} today={today} canEdit={canEdit} />
  return (
    <div class="weeks">
      {weeks.map(({ monday, events }) => (
        <Week
          t={t}
          userLocale={userLocale}
          monday={monday}
          events={events}
          today={today}
          canEdit={canEdit}
        />
      ))}
    </div>
  )
}

const inWeek = ({ event }: EventWithBlockCounts, monday: string) =>
  mondayOf(event.event_date) === monday

function NothingFound({ t, filter, today, canEdit }: Omit<WeeksProps, 'events' | 'userLocale'>) {
  const all = { ...filter, categories: [], open: false }
  return (
    <div class="empty">
      <h2>
        {filter.withoutBlocks
          ? t('events.every_event_has_blocks')
          : t('events.no_events_in_these_weeks')}
      </h2>
      <p>{t('events.events_are_days')}</p>
      <p class="row">
        <a class="button" href={attribute(eventsPath(all, today))}>
          {t('events.show_all_events')}
        </a>
        {canEdit ? (
          <a class="button" href={newEventPath}>
            {t('events.add_an_event')}
          </a>
        ) : null}
      </p>
    </div>
  )
}

function WeekPagination({
  t,
  filter,
  lastDay,
  today,
}: {
  t: Translate
  filter: EventFilter
  lastDay: string
  today: string
}) {
  const earlier = daysAfter(filter.from, -7 * weeksShown)
  const later = daysAfter(lastDay, 1)
  return (
    <nav class="pagination" aria-label={t('events.other_weeks')}>
      {earlier > limits.first ? (
        <a class="button" href={attribute(eventsPath({ ...filter, from: earlier }, today))}>
          {t('events.earlier_weeks')}
        </a>
      ) : null}
      {filter.from === mondayOf(today) ? null : (
        <a class="button" href={attribute(eventsPath({ ...filter, from: mondayOf(today) }, today))}>
          {t('events.this_week')}
        </a>
      )}
      {later < limits.last ? (
        <a class="button" href={attribute(eventsPath({ ...filter, from: later }, today))}>
          {t('events.later_weeks')}
        </a>
      ) : null}
    </nav>
  )
}

/** The route of the calendar. */
export const eventListPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/events', show, { role: 'viewer' })
