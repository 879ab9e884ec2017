import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { CalendarEvent, EventWithBlocks } from '../../contract/event.ts'
import { eventCategories } from '../../contract/vocabulary.ts'
import { blocksOfEvent } from '../../features/content-blocks/index.ts'
import { eventKey, getEvent, listEvents } from '../../features/events/index.ts'
import { access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleMeta, listMetaField, paginate } from '../list.ts'
import { document } from '../openapi/operation.ts'
import { among, flag, pageParameters, wholeNumber } from '../parameters.ts'
import { responses } from '../response.ts'

const example = {
  slug: 'international-womens-day',
  name: "International Women's Day",
  event_date: '2027-03-08',
  category: 'diversity',
  description: 'The day for the rights and achievements of women, since 1911.',
  suggested_content:
    'Go beyond flowers: one number on equality in the company, and what is being done about it.',
  recurs: true,
} satisfies CalendarEvent

const exampleWithBlocks = {
  ...example,
  content_blocks: [
    { id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912', title: 'Five questions to Ada', status: 'ready' },
  ],
  has_more_content_blocks: false,
} satisfies EventWithBlocks

export const EventResponse = v.strictObject({
  event: described(EventWithBlocks, 'The event.', exampleWithBlocks),
})
export const EventList = v.strictObject({
  events: described(v.array(CalendarEvent), 'The events of this page.', [example]),
  meta: listMetaField,
})

const EventQuery = v.object({
  ...pageParameters,
  upcoming: v.optional(described(flag, '`true`: from today (UTC) on.', true)),
  days_ahead: v.optional(
    described(wholeNumber(0, 366), 'From today (UTC) to so many days later.', 30),
  ),
  category: among(eventCategories, 'The kind of event.'),
  sort: v.optional(
    described(
      v.picklist(['event_date', '-event_date'], 'must be event_date or -event_date'),
      'The order; a minus stands for the latest first. Without it, `event_date`.',
      '-event_date',
    ),
  ),
})

/** How many blocks an event shows. */
const maxBlocks = 100

const filterOf = (query: v.InferOutput<typeof EventQuery>) => ({
  upcoming: query.upcoming ?? false,
  daysAhead: query.days_ahead ?? null,
  category: query.category ?? [],
  latestFirst: query.sort === '-event_date',
})

/** `/events`: the calendar that content can be about. */
export const events = (deps: ApiDeps) =>
  new Elysia({ prefix: '/events', tags: ['Events'] })
    .use(access(deps))
    .get(
      '/',
      async ({ caller, ctx, query, request, set }) => {
        const filter = filterOf(query)
        const context = { caller, query, request, set }
        const { items, meta } = await paginate(deps, context, {
          ...{ name: 'events', sort: query.sort ?? 'event_date' },
          ...{ parameters: EventQuery, fields: CalendarEvent },
          load: (page) => listEvents(ctx, { filter, page }),
          positionOf: (event) => eventKey(event),
        })
        return { events: items, meta }
      },
      {
        access: { scope: 'read' },
        query: EventQuery,
        response: responses({ 200: EventList }),
        detail: document({
          operationId: 'listEvents',
          summary: 'List events, by date',
          description:
            "The team's own events, and the well-known days of this year and the next. What recurs goes by its `slug` the next time it comes (today counts, in UTC) and by `<slug>-<year>` at every other time. `upcoming=true` and `days_ahead` leave out what has passed; `upcoming=false` is the same as leaving it out.",
          responses: {
            200: {
              description: 'A page of events.',
              example: { events: [example], meta: exampleMeta },
            },
          },
        }),
      },
    )
    .get(
      '/:slug',
      async ({ ctx, params }) => {
        const { event, linkedBy: slugs } = await getEvent(ctx, params.slug)
        const found = await blocksOfEvent(ctx, { slugs, limit: maxBlocks + 1 })
        const content_blocks = found.slice(0, maxBlocks)
        const has_more_content_blocks = found.length > maxBlocks
        return { event: { ...event, content_blocks, has_more_content_blocks } }
      },
      {
        access: { scope: 'read' },
        response: responses({ 200: EventResponse }),
        detail: document({
          operationId: 'getEvent',
          summary: 'Show an event and its blocks',
          description:
            "The next time the event comes; `<slug>-<year>` asks for one year's, of any year. Blocks with the event's `slug` belong to it every year, blocks with `<slug>-<year>` to that year alone, also when the block was there before the event.",
          responses: {
            200: {
              description: 'The event, with at most 100 blocks, newest first.',
              example: { event: exampleWithBlocks },
            },
          },
        }),
      },
    )
