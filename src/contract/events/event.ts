import * as v from 'valibot'
import { described } from '../described.ts'
import { blockStatuses, eventCategories } from '../vocabulary.ts'

/** An event as lists show it. `event_date` is a day, `YYYY-MM-DD`. */
export const CalendarEvent = v.strictObject({
  slug: described(
    v.string(),
    'The name of the event in addresses; of another year with `-<year>` at its end.',
    'international-womens-day',
  ),
  name: described(v.string(), 'The name of the event.', "International Women's Day"),
  event_date: described(
    v.pipe(v.string(), v.isoDate()),
    'The day of the event, or its first day.',
    '2027-03-08',
  ),
  category: described(v.picklist(eventCategories), 'The kind of event.', 'diversity'),
  description: described(
    v.nullable(v.string()),
    'What the event is.',
    'The day for the rights and achievements of women, since 1911.',
  ),
  suggested_content: described(
    v.nullable(v.string()),
    'What a newsletter can say about it.',
    'One number on equality in the company, and what is being done about it.',
  ),
  recurs: described(v.boolean(), 'True when the event comes every year.', true),
})
export type CalendarEvent = v.InferOutput<typeof CalendarEvent>

/** A block as the page of an event shows it. */
export const LinkedBlock = v.strictObject({
  id: described(v.string(), 'The id of the content block.', 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912'),
  title: described(v.string(), 'The title of the content block.', 'Five questions to Ada'),
  status: described(v.picklist(blockStatuses), 'The status of the content block.', 'ready'),
})
export type LinkedBlock = v.InferOutput<typeof LinkedBlock>

/** One event with the blocks of its slug, newest first, at most 100. */
export const EventWithBlocks = v.strictObject({
  ...CalendarEvent.entries,
  content_blocks: described(
    v.array(LinkedBlock),
    'The blocks about the event, newest first, at most 100.',
    [],
  ),
  has_more_content_blocks: described(
    v.boolean(),
    'True when there are more: `GET /content_blocks` lists all, with `event_slug` for the slug and once more for `<slug>-<year>`.',
    false,
  ),
})
export type EventWithBlocks = v.InferOutput<typeof EventWithBlocks>
