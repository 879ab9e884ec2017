import * as v from 'valibot'
import { described } from '../../contract/described.ts'
import { inNfc, toNfc } from '../../contract/text.ts'
import { blockSources, blockStatuses, blockTypes } from '../../contract/vocabulary.ts'
import { isByUpdate } from '../../lib/lists/list-order.ts'
import {
  pageParameters,
  repeatable,
  repeatableChoice,
  singleValue,
  sortError,
  timeFilterOf,
  timeParameters,
} from '../parameters.ts'

/** The query of `GET /content_blocks`. */
export const BlockQuery = v.object({
  ...pageParameters,
  status: repeatableChoice(blockStatuses, 'The status.'),
  block_type: repeatableChoice(blockTypes, 'The type.'),
  source: repeatableChoice(blockSources, 'The source.'),
  event_slug: repeatable(v.string(), 'The slug of the event.', 'summer-party'),
  external_id: repeatable(
    // As ingest stores it.
    v.pipe(v.string(), inNfc, v.trim()),
    'The id of the item in the tool that it comes from, as ingest got it.',
    'github:release:123',
  ),
  q: v.optional(
    described(
      v.pipe(singleValue, v.maxLength(200, 'must be at most 200 characters')),
      'Words in title or body; of Japanese, Chinese and Thai any part of the text. Only in lists sorted by `created_at`.',
      'search twice',
    ),
  ),
  ...timeParameters,
})

/** The filter of a list. Throws `validation_failed` for words in a list that is sorted by `updated_at`. */
export function filterOf(query: v.InferOutput<typeof BlockQuery>) {
  const times = timeFilterOf(query, 'cb')
  const words = toNfc(query.q?.trim() ?? '') || null
  if (words !== null && isByUpdate(times.sort)) throw sortError('q', 'created')
  return {
    ...times,
    status: query.status ?? [],
    blockType: query.block_type ?? [],
    source: query.source ?? [],
    eventSlug: query.event_slug ?? [],
    externalId: query.external_id ?? [],
    words,
  }
}
