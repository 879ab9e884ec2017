import * as v from 'valibot'
import { multilineText, singleLineText, slug } from './text.ts'
import { blockTypes } from './vocabulary.ts'

/** What a caller asks a draft for. How it sounds is free to say: `warm`, `short and dry`. */
export const DraftRequest = v.strictObject({
  context: multilineText(4000),
  block_type: v.optional(
    v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`),
    'general',
  ),
  event_slug: v.optional(v.nullable(slug), null),
  tone: v.optional(v.nullable(singleLineText(50)), null),
})
export type DraftRequest = v.InferOutput<typeof DraftRequest>
