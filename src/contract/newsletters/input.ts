import * as v from 'valibot'
import { described } from '../described.ts'
import { imageUse } from '../image.ts'
import {
  calendarDate,
  contentAddress,
  emptyAsNull,
  emptyOrLineText,
  hexColor,
  maxTitleCharacters,
  singleLineText,
  slug,
  text,
} from '../text.ts'
import { blockTypes, newsletterStatuses } from '../vocabulary.ts'

/** The most blocks that a newsletter has. */
export const maxNewsletterBlocks = 200

const maxIntroBytes = 16 * 1024

const oneLine = singleLineText(maxTitleCharacters)

const fields = {
  title: described(oneLine, 'The title, for the team and for readers.', 'November news'),
  subject_line: described(
    emptyAsNull(oneLine),
    'The subject of the email.',
    'What November brought',
  ),
  preheader_text: described(
    emptyAsNull(oneLine),
    'What mail programs show beside the subject.',
    'Two releases and a new colleague',
  ),
  scheduled_date: described(
    emptyAsNull(calendarDate),
    'The day on which the team plans to send it.',
    '2026-11-30',
  ),
  template_slug: described(slug, 'The template; a new newsletter without it is `clean`.', 'clean'),
  cover_image_url: described(
    emptyAsNull(contentAddress),
    'The image at the top.',
    'https://news.example.com/media/5f2b.jpg',
  ),
  cover_image_alt: described(
    v.nullable(emptyOrLineText(500)),
    'What the cover image shows, for readers who do not see it; empty for one that only decorates.',
    'The new office at the river',
  ),
  cover_focal_x: imageUse.image_focal_x,
  cover_focal_y: imageUse.image_focal_y,
  cover_color: described(
    emptyAsNull(hexColor),
    'The color of the cover when it has no image. The color of the text on it is chosen to be readable.',
    '#0f766e',
  ),
  intro: described(
    emptyAsNull(text(maxIntroBytes)),
    'The text above the blocks, as HTML, at most 16 KiB of UTF-8; it is sanitized.',
    '<p>Good morning. This month in short.</p>',
  ),
  closing: described(
    emptyAsNull(text(maxIntroBytes)),
    'The text below the blocks, as HTML, at most 16 KiB of UTF-8; it is sanitized.',
    '<p>See you in December.</p>',
  ),
  table_of_contents: described(
    emptyAsNull(v.boolean('must be true or false')),
    'Whether it has a table of contents; null: when it is long.',
    null,
  ),
}

/** What a client sends as a new newsletter. */
export const NewNewsletter = v.strictObject({
  title: fields.title,
  subject_line: v.exactOptional(fields.subject_line),
  preheader_text: v.exactOptional(fields.preheader_text),
  scheduled_date: v.exactOptional(fields.scheduled_date),
  template_slug: v.exactOptional(fields.template_slug),
  cover_image_url: v.exactOptional(fields.cover_image_url),
  cover_image_alt: v.exactOptional(fields.cover_image_alt),
  cover_focal_x: v.exactOptional(fields.cover_focal_x),
  cover_focal_y: v.exactOptional(fields.cover_focal_y),
  cover_color: v.exactOptional(fields.cover_color),
  intro: v.exactOptional(fields.intro),
  closing: v.exactOptional(fields.closing),
  table_of_contents: v.exactOptional(fields.table_of_contents),
  status: v.exactOptional(
    described(
      v.picklist(['draft'], 'must be draft; a new newsletter has no blocks yet'),
      'Only `draft`: a new newsletter has no blocks yet.',
      'draft',
    ),
  ),
})
export type NewNewsletter = v.InferOutput<typeof NewNewsletter>

/** What a new newsletter is where its caller leaves a field out. */
export const newNewsletterDefaults = {
  subject_line: null,
  preheader_text: null,
  scheduled_date: null,
  template_slug: 'clean',
  cover_image_url: null,
  cover_image_alt: null,
  cover_focal_x: null,
  cover_focal_y: null,
  cover_color: null,
  intro: null,
  closing: null,
  table_of_contents: null,
} as const satisfies Partial<NewNewsletter>

/** What a caller changes of a newsletter: what is left out stays, `null` empties what may be empty. */
export const NewsletterChange = v.partial(
  v.strictObject({
    ...fields,
    status: described(
      v.picklist(newsletterStatuses, `must be one of ${newsletterStatuses.join(', ')}`),
      'The next status: `draft` → `in_progress` → `ready` → `sent`, or one step back.',
      'ready',
    ),
  }),
)
export type NewsletterChange = v.InferOutput<typeof NewsletterChange>

const wholeNumber = (min: number, message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(min, message))

const blockId = singleLineText(255)

/** Which block comes into a newsletter, and where; without a position, at the end. */
export const BlockPlacement = v.strictObject({
  content_block_id: described(
    blockId,
    'The id of the content block.',
    'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  ),
  position: v.optional(
    described(
      wholeNumber(1, 'must be a whole number of at least 1'),
      'The position, counted from 1; without it, or past the end, the end.',
      1,
    ),
  ),
})
export type BlockPlacement = v.InferOutput<typeof BlockPlacement>

/** The blocks of a newsletter in their new order, by their ids there or as content blocks. */
export const BlockOrder = v.strictObject({
  block_ids: described(
    v.pipe(
      v.array(blockId, ({ input }) => (input === undefined ? 'is required' : 'must be a list')),
      v.maxLength(maxNewsletterBlocks, `must have at most ${maxNewsletterBlocks} ids`),
    ),
    'Every block of the newsletter once, by its id there or as a content block.',
    ['nb_019a9f3f41c57e02b1d2c3b4a5968778'],
  ),
})

/** Which blocks to compose a newsletter from; all that are ready when nothing is said. */
export const Composition = v.strictObject({
  block_types: v.optional(
    described(
      v.pipe(
        v.array(
          v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`),
          'must be a list of block types',
        ),
        v.minLength(1, 'must name at least one block type'),
      ),
      'The types of the blocks to add; without it, all types.',
      ['wins_milestones', 'new_starter'],
    ),
  ),
  limit: v.optional(
    described(
      v.pipe(
        wholeNumber(1, `must be a whole number from 1 to ${maxNewsletterBlocks}`),
        v.maxValue(maxNewsletterBlocks, `must be a whole number from 1 to ${maxNewsletterBlocks}`),
      ),
      'How many blocks to add at most, the oldest first.',
      12,
    ),
  ),
})
export type Composition = v.InferOutput<typeof Composition>
