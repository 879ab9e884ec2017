import type { CalendarEvent, EventWithBlocks } from '../../../contract/events/event.ts'

export const exampleEvent = {
  slug: 'international-womens-day',
  name: "International Women's Day",
  event_date: '2027-03-08',
  category: 'diversity',
  description: 'The day for the rights and achievements of women, since 1911.',
  suggested_content:
    'Go beyond flowers: one number on equality in the company, and what is being done about it.',
  recurs: true,
} satisfies CalendarEvent

export const exampleWithBlocks = {
  ...exampleEvent,
  content_blocks: [
    { id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912', title: 'Five questions to Ada', status: 'ready' },
  ],
  has_more_content_blocks: false,
} satisfies EventWithBlocks

export const newEventBody = {
  slug: 'summer-party',
  name: 'Summer party',
  event_date: '2027-06-18',
  category: 'corporate',
  description: 'On the roof, for everybody.',
} as const

export const createdEvent = {
  ...newEventBody,
  suggested_content: null,
  recurs: false,
  content_blocks: [],
  has_more_content_blocks: false,
} satisfies EventWithBlocks
