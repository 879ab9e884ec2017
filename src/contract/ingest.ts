import * as v from 'valibot'
import {
  line,
  maxBodyBytes,
  maxTitleCharacters,
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
  title: line(maxTitleCharacters),
  body: text(maxBodyBytes),
  block_type: v.nullish(
    v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`),
    'general',
  ),
  event_slug: v.nullish(slug),
  auto_ready: v.nullish(v.boolean('must be true or false'), false),
  external_id: v.nullish(line(255)),
  source_url: v.nullish(webAddress),
  author: v.nullish(line(255)),
  image_url: v.nullish(webAddress),
  publish_after: v.nullish(timestamp),
})

/** The payload as it arrives: what an adapter composes and a client sends. */
export type IngestPayload = v.InferInput<typeof IngestPayload>

/** The payload after parsing: defaults filled in, text normalised, times as `Date`. */
export type IngestItem = v.InferOutput<typeof IngestPayload>
