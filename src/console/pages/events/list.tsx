import { Elysia } from 'elysia'
import * as v from 'valibot'
import { calendarDate } from '../../../contract/text.ts'
import { type EventCategory, eventCategories } from '../../../contract/vocabulary.ts'
import { eventsBetween } from '../../../features/events/index.ts'
import { daysAfter, utcDay } from '../../../lib/clock.ts'
import { attribute } from '../../attribute.ts'
import { mondayOf } from '../../components/day.ts'
import { categoryTitles, isOpen, type PlannedEvent, withPrepared } from '../../components/event.tsx'
import { Icon } from '../../components/icon.tsx'
import { layout, PageHead } from '../../components/screen.tsx'
import { access } from '../../http/access.ts'
import type { ConsoleDeps, MemberRequest } from '../../http/context.ts'
import { can } from '../../roles.ts'
import { Week } from './week.tsx'

/** How many weeks a page shows. */
const weeksShown = 8
// A page still begins and ends inside the years that a date may have.
const limits = { first: '1900-01-01', last: '2099-10-01' }

/** What the page is asked to show; it is all in its address. */
interface Asked {
  /** The Monday of the first week. */
  from: string
  categories: readonly EventCategory[]
  /** Only what nothing is prepared for. */
  open: boolean
}

async function show(context: MemberRequest): Promise<Response> {
  const { sql, now } = context.deps
  const today = utcDay(now())
  const asked = askedOf(context.url, today)
  const to = daysAfter(asked.from, 7 * weeksShown - 1)
  const about = { from: asked.from, to, category: asked.categories }
  const found = await eventsBetween(sql, now, context.teamId, about)
  const planned = await withPrepared(context, found)
  const shown = asked.open ? planned.filter(isOpen) : planned
  const editor = can(context.member.role, 'editor')
  return await layout(
    context,
    { title: 'Events', section: 'events' },
    <>
      <PageHead
        title="Events"
        lead="Upcoming events of your team and well-known days, with the blocks for each."
      >
        {editor ? (
          <a class="button primary" href="/events/new">
            <Icon name="plus" />
            New event
          </a>
        ) : null}
      </PageHead>
      <Filters asked={asked} today={today} />
      <Weeks planned={shown} asked={asked} today={today} editor={editor} />
      <Turn asked={asked} to={to} today={today} />
    </>,
  )
}

function askedOf({ searchParams }: URL, today: string): Asked {
  const from = searchParams.get('from') ?? ''
  const wanted = searchParams.getAll('category')
  const day = v.is(calendarDate, from) ? from : today
  const inside = day < limits.first || day > limits.last ? today : day
  return {
    from: mondayOf(inside),
    categories: eventCategories.filter((category) => wanted.includes(category)),
    open: searchParams.get('open') === '1',
  }
}

/** The address of the page with something of it changed. */
function addressOf({ from, categories, open }: Asked, today: string): string {
  const query = new URLSearchParams()
  if (from !== mondayOf(today)) query.set('from', from)
  for (const category of categories) query.append('category', category)
  if (open) query.set('open', '1')
  return query.size > 0 ? `/events?${query}` : '/events'
}

const toggled = (asked: Asked, category: EventCategory): Asked => ({
  ...asked,
  categories: asked.categories.includes(category)
    ? asked.categories.filter((one) => one !== category)
    : [...asked.categories, category],
})

function Filters({ asked, today }: { asked: Asked; today: string }) {
  const { categories, open } = asked
  return (
    <nav class="chips" aria-label="Filter">
      <Chip
        on={categories.length === 0}
        to={addressOf({ ...asked, categories: [] }, today)}
        words="All"
      />
      {eventCategories.map((category) => (
        <Chip
          on={categories.includes(category)}
          to={addressOf(toggled(asked, category), today)}
          words={categoryTitles[category]}
        />
      ))}
      <Chip on={open} to={addressOf({ ...asked, open: !open }, today)} words="No blocks yet" />
    </nav>
  )
}

function Chip({ on, to, words }: { on: boolean; to: string; words: string }) {
  return (
    <a class="chip" href={attribute(to)} aria-current={on ? 'true' : undefined} safe>
      {words}
    </a>
  )
}

interface WeeksProps {
  planned: readonly PlannedEvent[]
  asked: Asked
  today: string
  editor: boolean
}

function Weeks({ planned, asked, today, editor }: WeeksProps) {
  const weeks = Array.from({ length: weeksShown }, (_, week) => daysAfter(asked.from, 7 * week))
    .map((monday) => ({ monday, events: planned.filter((one) => inWeek(one, monday)) }))
    .filter(({ monday, events }) => events.length > 0 || monday === mondayOf(today))
  if (planned.length === 0) return <NothingFound asked={asked} today={today} editor={editor} />
  return (
    <div class="weeks">
      {weeks.map(({ monday, events }) => (
        <Week monday={monday} events={events} today={today} editor={editor} />
      ))}
    </div>
  )
}

const inWeek = ({ event }: PlannedEvent, monday: string) => mondayOf(event.event_date) === monday

function NothingFound({ asked, today, editor }: Omit<WeeksProps, 'planned'>) {
  const all = { ...asked, categories: [], open: false }
  return (
    <div class="empty">
      <h2>{asked.open ? 'Every event has blocks' : 'No events in these weeks'}</h2>
      <p>
        Events are days that a newsletter announces: an anniversary, an offsite, the day the office
        reopens. Add your own, and write a block for it in time.
      </p>
      <p class="row">
        <a class="button" href={attribute(addressOf(all, today))}>
          Show all events
        </a>
        {editor ? (
          <a class="button" href="/events/new">
            Add an event
          </a>
        ) : null}
      </p>
    </div>
  )
}

function Turn({ asked, to, today }: { asked: Asked; to: string; today: string }) {
  const earlier = daysAfter(asked.from, -7 * weeksShown)
  const later = daysAfter(to, 1)
  return (
    <nav class="turn" aria-label="Other weeks">
      {earlier > limits.first ? (
        <a class="button" href={attribute(addressOf({ ...asked, from: earlier }, today))}>
          Earlier weeks
        </a>
      ) : null}
      {asked.from === mondayOf(today) ? null : (
        <a class="button" href={attribute(addressOf({ ...asked, from: mondayOf(today) }, today))}>
          This week
        </a>
      )}
      {later < limits.last ? (
        <a class="button" href={attribute(addressOf({ ...asked, from: later }, today))}>
          Later weeks
        </a>
      ) : null}
    </nav>
  )
}

/** The calendar of the team. */
export const eventListPages = (deps: ConsoleDeps) =>
  new Elysia().use(access(deps)).get('/events', show, { role: 'viewer' })
