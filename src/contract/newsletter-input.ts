import * as v from 'valibot'
import { calendarDate, maxTitleCharacters, singleLineText, slug } from './text.ts'
import { blockTypes, newsletterStatuses } from './vocabulary.ts'

/** The most blocks one newsletter holds. */
export const maxNewsletterBlocks = 200

const oneLine = singleLineText(maxTitleCharacters)

const fields = {
  title: oneLine,
  subject_line: v.nullable(oneLine),
  preheader_text: v.nullable(oneLine),
  scheduled_date: v.nullable(calendarDate),
  template_slug: slug,
}

/** What a caller says of a new newsletter. */
export const NewNewsletter = v.strictObject({
  title: fields.title,
  subject_line: v.exactOptional(fields.subject_line),
  preheader_text: v.exactOptional(fields.preheader_text),
  scheduled_date: v.exactOptional(fields.scheduled_date),
  template_slug: v.exactOptional(fields.template_slug),
  status: v.optional(v.picklist(['draft'], 'must be draft; a new newsletter has no blocks yet')),
})
export type NewNewsletter = v.InferOutput<typeof NewNewsletter>

/** What a new newsletter is where its caller leaves a field out. */
export const newNewsletterDefaults = {
  subject_line: null,
  preheader_text: null,
  scheduled_date: null,
  template_slug: 'clean',
} as const satisfies Partial<NewNewsletter>

/** What a caller changes of a newsletter: what is left out stays, `null` empties what may be empty. */
export const NewsletterChange = v.partial(
  v.strictObject({
    ...fields,
    status: v.picklist(newsletterStatuses, `must be one of ${newsletterStatuses.join(', ')}`),
  }),
)
export type NewsletterChange = v.InferOutput<typeof NewsletterChange>

const wholeNumber = (least: number, message: string) =>
  v.pipe(v.number(message), v.integer(message), v.minValue(least, message))

const blockId = singleLineText(255)

/** Which block comes into a newsletter, and where; without a position, at the end. */
export const BlockPlacement = v.strictObject({
  content_block_id: blockId,
  position: v.optional(wholeNumber(1, 'must be a whole number of at least 1')),
})
export type BlockPlacement = v.InferOutput<typeof BlockPlacement>

/** The blocks of a newsletter in their new order, by their ids there or as content blocks. */
export const BlockOrder = v.strictObject({
  block_ids: v.pipe(
    v.array(blockId, ({ input }) => (input === undefined ? 'is required' : 'must be a list')),
    v.maxLength(maxNewsletterBlocks, `must have at most ${maxNewsletterBlocks} ids`),
  ),
})

/** Which blocks to compose a newsletter from; all that are ready when nothing is said. */
export const Composition = v.strictObject({
  block_types: v.optional(
    v.pipe(
      v.array(
        v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`),
        'must be a list of block types',
      ),
      v.minLength(1, 'must name at least one block type'),
    ),
  ),
  limit: v.optional(
    v.pipe(
      wholeNumber(1, `must be a whole number from 1 to ${maxNewsletterBlocks}`),
      v.maxValue(maxNewsletterBlocks, `must be a whole number from 1 to ${maxNewsletterBlocks}`),
    ),
  ),
})
export type Composition = v.InferOutput<typeof Composition>
