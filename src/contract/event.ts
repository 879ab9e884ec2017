import * as v from 'valibot'
import { blockStatuses, eventCategories } from './vocabulary.ts'

const date = v.pipe(v.string(), v.isoDate())

/** An event as lists show it. `event_date` is a day, `YYYY-MM-DD`. */
export const CalendarEvent = v.strictObject({
  slug: v.string(),
  name: v.string(),
  event_date: date,
  category: v.picklist(eventCategories),
  description: v.nullable(v.string()),
  suggested_content: v.nullable(v.string()),
  recurs: v.boolean(),
})
export type CalendarEvent = v.InferOutput<typeof CalendarEvent>

/** A block as an event's page shows it. */
const LinkedBlock = v.strictObject({
  id: v.string(),
  title: v.string(),
  status: v.picklist(blockStatuses),
})
export type LinkedBlock = v.InferOutput<typeof LinkedBlock>

/** One event with the blocks that carry its slug, newest first, at most 100. */
export const EventWithBlocks = v.strictObject({
  ...CalendarEvent.entries,
  content_blocks: v.array(LinkedBlock),
})
export type EventWithBlocks = v.InferOutput<typeof EventWithBlocks>
