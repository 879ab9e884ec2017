import * as v from 'valibot'
import { described } from '../described.ts'
import { emptyAsNull, multilineText, singleLineText, slug } from '../text.ts'
import { blockTypes } from '../vocabulary.ts'

/** What a caller asks a draft for. How it sounds is free to say: `warm`, `short and dry`. */
export const DraftRequest = v.strictObject({
  context: described(
    multilineText(4000),
    'What the draft is about: facts, names, links.',
    'Ada joined the platform team on Monday. She wrote compilers before.',
  ),
  block_type: v.optional(
    described(
      v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`),
      'What the block is about; without it, `general`.',
      'new_starter',
    ),
  ),
  event_slug: v.optional(
    described(emptyAsNull(slug), 'The event that the block is about.', 'summer-party'),
  ),
  tone: v.optional(
    described(emptyAsNull(singleLineText(50)), 'How the draft sounds.', 'warm, short'),
  ),
})
export type DraftRequest = v.InferOutput<typeof DraftRequest>
