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
import { blockTypes, bodyFormats, imageSizes } from './vocabulary.ts'

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

const fields = {
  title: singleLineText(maxTitleCharacters),
  body: text(maxBodyBytes),
  body_format: oneOf(bodyFormats),
  block_type: oneOf(blockTypes),
  status: v.picklist(
    ['draft', 'ready'],
    'must be draft or ready; a block becomes used when its newsletter is sent',
  ),
  event_slug: v.nullable(slug),
  image_url: v.nullable(webAddress),
  image_size: v.nullable(oneOf(imageSizes)),
  publish_after: v.nullable(timestamp),
}

/** What a caller says of a new block. Unlike ingest, a name that is no field is a fault. */
export const NewBlock = v.strictObject({
  title: fields.title,
  body: fields.body,
  body_format: v.optional(fields.body_format),
  block_type: v.optional(fields.block_type, 'general'),
  status: v.optional(fields.status, 'draft'),
  event_slug: v.optional(fields.event_slug, null),
  image_url: v.optional(fields.image_url, null),
  image_size: v.optional(fields.image_size, null),
  publish_after: v.optional(fields.publish_after, null),
})
export type NewBlock = v.InferOutput<typeof NewBlock>

/** What a caller changes of a block: what is left out stays, `null` empties what may be empty. */
export const BlockChange = v.partial(v.strictObject(fields))
export type BlockChange = v.InferOutput<typeof BlockChange>
