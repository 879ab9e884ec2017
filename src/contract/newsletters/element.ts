import * as v from 'valibot'
import { described } from '../described.ts'
import { contentAddress, emptyAsNull, maxTitleCharacters, singleLineText, text } from '../text.ts'

/** What a newsletter contains besides blocks. */
export const elementTypes = ['section', 'divider', 'callout', 'poll'] as const
export type ElementType = (typeof elementTypes)[number]

/** The most elements of one newsletter, and the most options of one poll. */
export const maxElements = 100
const maxOptions = 10
const maxCalloutBytes = 8 * 1024

const heading = singleLineText(maxTitleCharacters)

export const PollOption = v.strictObject({
  label: described(singleLineText(100), 'The words on the button.', 'At the river'),
  url: described(contentAddress, 'Where the button leads.', 'https://forms.example.com/river'),
})

const options = v.pipe(
  v.array(PollOption, ({ input }) => (input === undefined ? 'is required' : 'must be a list')),
  v.minLength(1, 'must have at least one option'),
  v.maxLength(maxOptions, `must have at most ${maxOptions} options`),
)

const wholeNumber = 'must be a whole number of at least 1'
const beforePosition = described(
  v.pipe(v.number(wholeNumber), v.integer(wholeNumber), v.minValue(1, wholeNumber)),
  'The element is before the block at this position, counted from 1. Past the end, or without it, it is after the last block.',
  1,
)

const position = { before_position: v.exactOptional(beforePosition) }
const typeOf = <const Type extends ElementType>(type: Type) =>
  described(v.literal(type), 'What the element is.', type)

/** A new element: a heading of a section, a divider, a callout or a poll. */
export const NewElement = v.variant(
  'type',
  [
    v.strictObject({
      type: typeOf('section'),
      ...position,
      heading: described(heading, 'The heading of the section.', 'New faces'),
    }),
    v.strictObject({ type: typeOf('divider'), ...position }),
    v.strictObject({
      type: typeOf('callout'),
      ...position,
      heading: v.exactOptional(
        described(emptyAsNull(heading), 'What the callout is about.', 'Offices are closed'),
      ),
      body: described(
        text(maxCalloutBytes),
        'The text as HTML, at most 8 KiB of UTF-8; it is sanitized.',
        '<p>From 24 December. Support is on call.</p>',
      ),
    }),
    v.strictObject({
      type: typeOf('poll'),
      ...position,
      heading: described(heading, 'The question.', 'Where should the summer party be?'),
      options: described(options, 'The answers, each with the address that counts it.', [
        { label: 'At the river', url: 'https://forms.example.com/river' },
      ]),
    }),
  ],
  ({ input }) =>
    input === undefined ? 'is required' : `must be one of ${elementTypes.join(', ')}`,
)
export type NewElement = v.InferOutput<typeof NewElement>

/** What a caller changes of an element: what is left out stays. The type stays. */
export const ElementChange = v.partial(
  v.strictObject({
    before_position: beforePosition,
    heading: described(
      emptyAsNull(heading),
      'The heading of a section or a callout, or the question of a poll.',
      'New faces',
    ),
    body: described(
      text(maxCalloutBytes),
      'The text of a callout as HTML, at most 8 KiB of UTF-8.',
      '<p>Support is on call.</p>',
    ),
    options: described(options, 'The answers of a poll.', [
      { label: 'At the river', url: 'https://forms.example.com/river' },
    ]),
  }),
)
export type ElementChange = v.InferOutput<typeof ElementChange>

/** An element of a newsletter as every response shows it. */
export const NewsletterElement = v.strictObject({
  id: described(v.string(), 'The id of the element.', 'ne_019a9f3f41c57e02b1d2c3b4a5968778'),
  type: described(
    v.picklist(elementTypes),
    'What it is: a heading of a `section`, a `divider`, a `callout` or a `poll`.',
    'section',
  ),
  before_position: described(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'It is before the block at this position; one more than the last position is the end.',
    1,
  ),
  heading: described(
    v.nullable(v.string()),
    'The heading of a section or a callout, or the question of a poll.',
    'New faces',
  ),
  body: described(v.nullable(v.string()), 'The text of a callout, as sanitized HTML.', null),
  options: described(
    v.nullable(
      v.array(
        v.strictObject({
          label: described(v.string(), 'The words on the button.', 'At the river'),
          url: described(v.string(), 'Where it leads.', 'https://forms.example.com/river'),
        }),
      ),
    ),
    'The answers of a poll, with their addresses.',
    null,
  ),
})
export type NewsletterElement = v.InferOutput<typeof NewsletterElement>

/** The blocks and elements of a newsletter in their new order. */
export const Arrangement = v.strictObject({
  ids: described(
    v.pipe(
      v.array(singleLineText(255), ({ input }) =>
        input === undefined ? 'is required' : 'must be a list',
      ),
      v.maxLength(300, 'must have at most 300 ids'),
    ),
    'Every block (by its id in the newsletter) and every element once.',
    ['ne_019a9f3f41c57e02b1d2c3b4a5968778', 'nb_019a9f3f41c57e02b1d2c3b4a5968778'],
  ),
})
