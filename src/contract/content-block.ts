import * as v from 'valibot'
import { blockSources, blockStatuses, blockTypes, bodyFormats, imageSizes } from './vocabulary.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const address = v.pipe(v.string(), v.url())

/** A content block as every answer shows it. Times are RFC 3339 in UTC. */
export const ContentBlock = v.strictObject({
  id: v.string(),
  title: v.string(),
  body: v.string(),
  body_format: v.picklist(bodyFormats),
  block_type: v.picklist(blockTypes),
  status: v.picklist(blockStatuses),
  source: v.picklist(blockSources),
  event_slug: v.nullable(v.string()),
  image_url: v.nullable(address),
  image_size: v.nullable(v.picklist(imageSizes)),
  origin: v.nullable(
    v.strictObject({
      provider: v.nullable(v.string()),
      external_id: v.nullable(v.string()),
      url: v.nullable(address),
      author: v.nullable(v.string()),
    }),
  ),
  publish_after: v.nullable(instant),
  api_key_name: v.nullable(v.string()),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  created_at: instant,
  updated_at: instant,
})
export type ContentBlock = v.InferOutput<typeof ContentBlock>
