import * as v from 'valibot'
import { CalendarEvent, EventWithBlocks } from '../../contract/event.ts'
import { eventCategories } from '../../contract/vocabulary.ts'
import { blocksOfEvent } from '../../features/content-blocks/index.ts'
import { eventKey, getEvent, listEvents } from '../../features/events/index.ts'
import {
  among,
  flag,
  keyedListAnswer,
  PageMeta,
  pageParameters,
  pageRequest,
  wholeNumber,
} from '../list.ts'
import { operation } from '../operation.ts'

const exampleEvent = {
  slug: 'international-womens-day',
  name: "International Women's Day",
  event_date: '2027-03-08',
  category: 'diversity',
  description: 'The day for the rights and achievements of women, since 1911.',
  suggested_content:
    'Go beyond flowers: one number on equality in the company, and what is being done about it.',
  recurs: true,
} satisfies CalendarEvent

export const listTeamEvents = operation({
  method: 'GET',
  path: '/events',
  tag: 'Events',
  summary: 'List events, by date',
  description:
    "The team's own events, and the well-known days of this year and the next. What recurs goes by its `slug` the next time it comes (today counts, in UTC) and by `<slug>-<year>` at every other time. `upcoming=true` and `days_ahead` leave out what has passed; `upcoming=false` is the same as leaving it out.",
  scope: 'read',
  query: v.object({
    ...pageParameters,
    upcoming: v.optional(v.pipe(flag, v.description('`true`: from today (UTC) on.'))),
    days_ahead: v.optional(
      v.pipe(wholeNumber(0, 366), v.description('From today (UTC) to so many days later.')),
    ),
    category: among(eventCategories),
  }),
  answers: {
    200: {
      description: 'A page of events.',
      schema: v.strictObject({ events: v.array(CalendarEvent), meta: PageMeta }),
      example: {
        events: [exampleEvent],
        meta: { page: 1, per_page: 20, total: 1, total_pages: 1, next_cursor: null },
      },
    },
  },
  work: {
    async read(deps, call) {
      const { caller, query } = call
      const asked = pageRequest(deps, 'events', call)
      const filter = {
        upcoming: query.upcoming ?? false,
        daysAhead: query.days_ahead ?? null,
        category: query.category,
      }
      const page = await listEvents(deps.sql, deps.now, caller.teamId, filter, asked)
      return keyedListAnswer(deps, 'events', call, asked, page, eventKey)
    },
  },
})

export const showEvent = operation({
  method: 'GET',
  path: '/events/:slug',
  tag: 'Events',
  summary: 'Show an event and its blocks',
  description:
    "The next time the event comes; `<slug>-<year>` asks for one year's, of any year. Blocks with the event's `slug` belong to it every year, blocks with `<slug>-<year>` to that year alone, also when the block was there before the event.",
  scope: 'read',
  answers: {
    200: {
      description: 'The event, with at most 100 blocks, newest first.',
      schema: v.strictObject({ event: EventWithBlocks }),
      example: {
        event: {
          ...exampleEvent,
          content_blocks: [
            {
              id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
              title: 'Five questions to Ada',
              status: 'ready',
            },
          ],
        },
      },
    },
  },
  work: {
    async read({ sql, now }, { caller, params }) {
      const { event, linkedBy } = await getEvent(sql, now, caller.teamId, params['slug'] ?? '')
      const content_blocks = await blocksOfEvent(sql, caller.teamId, linkedBy)
      return { status: 200, body: { event: { ...event, content_blocks } } }
    },
  },
})
