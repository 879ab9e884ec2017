import * as v from 'valibot'
import { described } from '../described.ts'
import { calendarDate, emptyAsNull, singleLineText, slug, text } from '../text.ts'
import { eventCategories } from '../vocabulary.ts'

const words = emptyAsNull(text(2 * 1024))

/** The fields of an event that can change. */
export const eventFields = {
  name: described(singleLineText(255), 'The name of the event.', 'Summer party'),
  event_date: described(
    calendarDate,
    'The day of the event; with `recurs`, its first occurrence. 29 February is 28 February in other years.',
    '2027-06-18',
  ),
  category: described(
    v.picklist(eventCategories, `must be one of ${eventCategories.join(', ')}`),
    'The kind of event.',
    'corporate',
  ),
  description: described(
    words,
    'What the event is, at most 2 KiB of UTF-8.',
    'On the roof, for everybody.',
  ),
  suggested_content: described(
    words,
    'What a newsletter can say about it, at most 2 KiB of UTF-8.',
    'Three photos and the name of the band.',
  ),
  recurs: described(
    v.boolean('must be true or false'),
    'True when the event comes every year; a new event without it does not.',
    false,
  ),
}

const optionalFields = {
  description: v.exactOptional(eventFields.description),
  suggested_content: v.exactOptional(eventFields.suggested_content),
  recurs: v.exactOptional(eventFields.recurs),
}

/** What a client sends as a new event. */
export const NewEvent = v.strictObject({
  slug: described(
    slug,
    'The name of the event in addresses. That of a well-known day replaces the day, with `-<year>` at its end in that year alone.',
    'summer-party',
  ),
  name: eventFields.name,
  event_date: eventFields.event_date,
  category: eventFields.category,
  ...optionalFields,
})

/** What a new event is where its client leaves a field out. */
export const newEventDefaults = {
  description: null,
  suggested_content: null,
  recurs: false,
} as const

/** What a client changes of an event: what is left out stays. */
export const EventChange = v.strictObject({
  name: v.exactOptional(eventFields.name),
  event_date: v.exactOptional(eventFields.event_date),
  category: v.exactOptional(eventFields.category),
  ...optionalFields,
})
