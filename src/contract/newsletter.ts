import * as v from 'valibot'
import { blockStatuses, blockTypes, newsletterStatuses } from './vocabulary.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const position = v.pipe(v.number(), v.integer(), v.minValue(1))

const fields = {
  id: v.string(),
  title: v.string(),
  subject_line: v.nullable(v.string()),
  preheader_text: v.nullable(v.string()),
  status: v.picklist(newsletterStatuses),
  scheduled_date: v.nullable(v.pipe(v.string(), v.isoDate())),
  template_slug: v.string(),
  blocks_count: v.pipe(v.number(), v.integer(), v.minValue(0)),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  sent_at: v.nullable(instant),
  created_at: instant,
  updated_at: instant,
}

/** A newsletter as lists show it. Times are RFC 3339 in UTC. */
export const NewsletterSummary = v.strictObject(fields)
export type NewsletterSummary = v.InferOutput<typeof NewsletterSummary>

/** A newsletter by itself, with its blocks in their order; those of a sent one are what was sent. */
export const Newsletter = v.strictObject({
  ...fields,
  blocks: v.array(
    v.strictObject({
      id: v.string(),
      position,
      content_block: v.strictObject({
        id: v.string(),
        title: v.string(),
        block_type: v.picklist(blockTypes),
        status: v.picklist(blockStatuses),
      }),
    }),
  ),
})
export type Newsletter = v.InferOutput<typeof Newsletter>

/** A content block's place in a newsletter. */
export const NewsletterBlock = v.strictObject({
  id: v.string(),
  position,
  content_block_id: v.string(),
  content_block_title: v.string(),
})
export type NewsletterBlock = v.InferOutput<typeof NewsletterBlock>
