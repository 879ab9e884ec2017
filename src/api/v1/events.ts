import { Elysia } from 'elysia'
import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { CalendarEvent, EventWithBlocks } from '../../contract/events/event.ts'
import { EventChange, NewEvent, newEventDefaults } from '../../contract/events/input.ts'
import { eventCategories } from '../../contract/vocabulary.ts'
import { listBlocksOfEvent } from '../../features/content-blocks/index.ts'
import {
  createEvent,
  deleteEvent,
  eventKey,
  getEvent,
  listEvents,
  requireFreeEventSlug,
  requireOwnEvent,
  updateEvent,
} from '../../features/events/index.ts'
import type { Context } from '../../lib/context.ts'
import { inputErrorsOf } from '../../lib/errors.ts'
import { validPartOf } from '../../lib/parse.ts'
import { type Access, access } from '../access.ts'
import type { ApiDeps } from '../deps.ts'
import { exampleMeta, listMetaField, paginate } from '../list.ts'
import {
  createdEvent,
  exampleEvent,
  exampleWithBlocks,
  newEventBody,
} from '../openapi/examples/event.ts'
import { document } from '../openapi/operation.ts'
import {
  booleanParameter,
  order,
  pageParameters,
  repeatableChoice,
  wholeNumber,
} from '../parameters.ts'
import { NoContent, noContent, resource, responses } from '../response.ts'

export const EventResponse = resource({
  event: described(EventWithBlocks, 'The event.', exampleWithBlocks),
})
export const EventList = v.strictObject({
  events: described(v.array(CalendarEvent), 'The events of this page.', [exampleEvent]),
  meta: listMetaField,
})

const EventQuery = v.object({
  ...pageParameters,
  upcoming: v.optional(described(booleanParameter, '`true`: from today (UTC) on.', true)),
  days_ahead: v.optional(
    described(wholeNumber(0, 366), 'From today (UTC) to so many days later.', 30),
  ),
  category: repeatableChoice(eventCategories, 'The kind of event.'),
  sort: v.optional(
    described(
      order(['event_date', '-event_date']),
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

const change: Access = {
  scope: 'write',
  requireResource: (ctx, { slug = '' }) => getEvent(ctx, slug),
}

const findErrors: NonNullable<Access['findErrors']> = async (ctx, input) => {
  const { slug } = validPartOf(NewEvent, input)
  return await inputErrorsOf(() => slug && requireFreeEventSlug(ctx, slug))
}

/** An event with its newest blocks. */
async function eventWithBlocks(ctx: Context, slug: string): Promise<EventWithBlocks> {
  const { event, linkedBy: slugs } = await getEvent(ctx, slug)
  const found = await listBlocksOfEvent(ctx, { slugs, limit: maxBlocks + 1 })
  const content_blocks = found.slice(0, maxBlocks)
  return { ...event, content_blocks, has_more_content_blocks: found.length > maxBlocks }
}

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
          name: 'events',
          sort: query.sort ?? 'event_date',
          parameters: EventQuery,
          fields: CalendarEvent,
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
              example: { events: [exampleEvent], meta: exampleMeta },
            },
          },
        }),
      },
    )
    .get(
      '/:slug',
      async ({ ctx, params }) => ({ event: await eventWithBlocks(ctx, params.slug) }),
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
    .post(
      '/',
      ({ body, write }) =>
        write(async (ctx) => {
          await createEvent(ctx, { ...newEventDefaults, ...body })
          const event = await eventWithBlocks(ctx, body.slug)
          const headers = { location: `/api/v1/events/${body.slug}` }
          return { status: 201, body: { event }, headers }
        }),
      {
        access: { scope: 'write', findErrors },
        body: NewEvent,
        response: responses({ 201: EventResponse }),
        detail: document({
          operationId: 'createEvent',
          summary: 'Create an event',
          description:
            'An event with `recurs` comes every year from `event_date` on; responses show the next time. With the slug of a well-known day it replaces that day. A team can have 2,000 events of its own.',
          bodyExample: newEventBody,
          responses: {
            201: { description: 'The new event.', example: { event: createdEvent } },
          },
        }),
      },
    )
    .patch(
      '/:slug',
      ({ params: { slug }, body, write }) =>
        write(async (ctx) => {
          await requireOwnEvent(ctx, slug)
          await updateEvent(ctx, { slug, change: body })
          return { status: 200, body: { event: await eventWithBlocks(ctx, slug) } }
        }),
      {
        access: change,
        body: EventChange,
        response: responses({ 200: EventResponse }),
        detail: document({
          operationId: 'updateEvent',
          summary: 'Change an event',
          description:
            'Send only what changes. The slug stays, because blocks refer to it. Days of the built-in calendar cannot be changed: create an event with their slug.',
          bodyExample: { event_date: '2027-06-25' },
          responses: {
            200: { description: 'The event as it is now.', example: { event: createdEvent } },
          },
          errors: ['event_read_only'],
        }),
      },
    )
    .delete(
      '/:slug',
      ({ params: { slug }, write }) =>
        write(async (ctx) => {
          await requireOwnEvent(ctx, slug)
          await deleteEvent(ctx, slug)
          return noContent
        }),
      {
        access: change,
        response: responses({ 204: NoContent }),
        detail: document({
          operationId: 'deleteEvent',
          summary: 'Delete an event',
          description:
            'Its blocks stay, and keep the slug. A well-known day that the event replaced is there again.',
          responses: { 204: { description: 'The event is deleted.' } },
          errors: ['event_read_only'],
        }),
      },
    )
