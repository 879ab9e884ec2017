import * as v from 'valibot'
import { described } from '../described.ts'
import { blockStatuses, blockTypes, newsletterStatuses } from '../vocabulary.ts'
import { NewsletterElement } from './element.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

const position = described(
  v.pipe(v.number(), v.integer(), v.minValue(1)),
  'The position in the newsletter, counted from 1 without gaps.',
  1,
)
const newsletterBlockId = described(
  v.string(),
  'The id of the block in this newsletter.',
  'nb_019a9f3f41c57e02b1d2c3b4a5968778',
)
const blockId = described(
  v.string(),
  'The id of the content block.',
  'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
)
const blockTitle = described(v.string(), 'The title of the content block.', 'Version 2 is out')

const fields = {
  id: described(v.string(), 'The id of the newsletter.', 'nl_019a9f3e2b7c7d10a3b4c5d6e7f80912'),
  title: described(v.string(), 'The title, for the team and for readers.', 'November news'),
  subject_line: described(
    v.nullable(v.string()),
    'The subject of the email.',
    'What November brought',
  ),
  preheader_text: described(
    v.nullable(v.string()),
    'What mail programs show beside the subject.',
    'Two releases and a new colleague',
  ),
  status: described(
    v.picklist(newsletterStatuses),
    '`draft`, `in_progress`, `ready`, `sent`, in this order.',
    'in_progress',
  ),
  scheduled_date: described(
    v.nullable(v.pipe(v.string(), v.isoDate())),
    'The day on which the team plans to send it.',
    '2026-11-30',
  ),
  template_slug: described(v.string(), 'The template that it is rendered with.', 'clean'),
  cover_image_url: described(
    v.nullable(v.string()),
    'The image at the top.',
    'https://news.example.com/media/5f2b.jpg',
  ),
  cover_image_alt: described(
    v.nullable(v.string()),
    'What the cover image shows; empty when it only decorates.',
    'The new office at the river',
  ),
  cover_focal_x: described(
    v.nullable(v.number()),
    'What stays visible when the cover image is cropped, from 0 (left) to 1 (right); null is the middle.',
    0.5,
  ),
  cover_focal_y: described(
    v.nullable(v.number()),
    'What stays visible when the cover image is cropped, from 0 (top) to 1 (bottom); null is the middle.',
    0.25,
  ),
  cover_color: described(
    v.nullable(v.string()),
    'The color of the cover when it has no image.',
    '#0f766e',
  ),
  intro: described(
    v.nullable(v.string()),
    'The text above the blocks, as sanitized HTML.',
    '<p>Good morning.</p>',
  ),
  closing: described(
    v.nullable(v.string()),
    'The text below the blocks, as sanitized HTML.',
    '<p>See you in December.</p>',
  ),
  table_of_contents: described(
    v.nullable(v.boolean()),
    'Whether it has a table of contents; null: when it is long.',
    null,
  ),
  blocks_count: described(
    v.pipe(v.number(), v.integer(), v.minValue(0)),
    'The number of its blocks.',
    1,
  ),
  version: described(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'The number of the version; each change adds 1. The `ETag` contains it.',
    2,
  ),
  sent_at: described(
    v.nullable(instant),
    'When it was marked as sent.',
    '2026-11-30T08:00:00.000Z',
  ),
  archive_url: described(
    v.nullable(v.string()),
    'Its page in the archive of the team; null while it is not sent, and for a team without an archive. It follows the settings of the team, which change the `ETag`, but neither `version` nor `updated_at`.',
    'https://news.example.com/archive/Qm9va3M/nl_019a9f3e2b7c7d10a3b4c5d6e7f80912',
  ),
  created_at: described(instant, 'When it was created.', '2026-11-20T09:30:00.000Z'),
  updated_at: described(instant, 'When it was last changed.', '2026-11-20T09:31:00.000Z'),
}

/** A newsletter as lists show it. Times are RFC 3339 in UTC. */
export const NewsletterSummary = v.strictObject(fields)
export type NewsletterSummary = v.InferOutput<typeof NewsletterSummary>

export const NewsletterBlockSummary = v.strictObject({
  id: newsletterBlockId,
  position,
  content_block: described(
    v.strictObject({
      id: blockId,
      title: blockTitle,
      block_type: described(v.picklist(blockTypes), 'What the block is about.', 'wins_milestones'),
      status: described(v.picklist(blockStatuses), 'The status of the content block.', 'ready'),
    }),
    'The content block at this position.',
    {
      id: 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912',
      title: 'Version 2 is out',
      block_type: 'wins_milestones',
      status: 'ready',
    },
  ),
})

/** A newsletter by itself, with its blocks in their order; those of a sent one are its snapshot. */
export const Newsletter = v.strictObject({
  ...fields,
  blocks: described(
    v.array(NewsletterBlockSummary),
    'The blocks in their order; those of a sent newsletter as they were sent.',
    [],
  ),
  elements: described(
    v.array(NewsletterElement),
    'The headings of sections, dividers, callouts and polls, in their order. With any of them, the newsletter has the order and the headings of the team; without them, the sections of its template.',
    [],
  ),
})
export type Newsletter = v.InferOutput<typeof Newsletter>

/** The position of a content block in a newsletter. */
export const NewsletterBlock = v.strictObject({
  id: newsletterBlockId,
  position,
  content_block_id: blockId,
  content_block_title: blockTitle,
})
export type NewsletterBlock = v.InferOutput<typeof NewsletterBlock>
