import * as v from 'valibot'
import {
  maxBodyBytes,
  maxTitleCharacters,
  singleLineText,
  slug,
  text,
  timestamp,
  webAddress,
} from './text.ts'
import { blockTypes } from './vocabulary.ts'

/**
 * What a tool posts to `POST /api/v1/webhooks/ingest`. Unknown fields are dropped, since no-code
 * tools add their own; `null` counts as left out, since they send empty mappings as `null`.
 */
export const IngestPayload = v.object({
  title: v.pipe(singleLineText(maxTitleCharacters), v.description('One line.')),
  body: v.pipe(text(maxBodyBytes), v.description('HTML or plain text, at most 64 KiB of UTF-8.')),
  block_type: v.nullish(v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`)),
  event_slug: v.nullish(
    v.pipe(slug, v.description('Links the block to an event, also to one that comes later.')),
  ),
  auto_ready: v.nullish(
    v.pipe(
      v.boolean('must be true or false'),
      v.description('True makes the block `ready` at once; otherwise it is a `draft`.'),
    ),
  ),
  external_id: v.nullish(
    v.pipe(
      singleLineText(255),
      v.description('The item in your tool: the same one sent again makes no second block.'),
    ),
  ),
  source_url: v.nullish(v.pipe(webAddress, v.description('Where the item can be read.'))),
  author: v.nullish(
    v.pipe(singleLineText(255), v.description('Who wrote it, as people know them.')),
  ),
  image_url: v.nullish(webAddress),
  publish_after: v.pipe(
    v.nullish(timestamp),
    v.description('The block does not go out before this moment.'),
  ),
})

/** The payload as it arrives: what an adapter composes and a client sends. */
export type IngestPayload = v.InferInput<typeof IngestPayload>

/** The payload after parsing: defaults filled in, text normalised, times as `Date`. */
export type IngestItem = v.InferOutput<typeof IngestPayload>
