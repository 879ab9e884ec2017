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
  body_format: v.exactOptional(fields.body_format),
  block_type: v.exactOptional(fields.block_type),
  status: v.exactOptional(fields.status),
  event_slug: v.exactOptional(fields.event_slug),
  image_url: v.exactOptional(fields.image_url),
  image_size: v.exactOptional(fields.image_size),
  publish_after: v.exactOptional(fields.publish_after),
})
export type NewBlock = v.InferOutput<typeof NewBlock>

/** What a new block is where its caller leaves a field out. */
export const newBlockDefaults = {
  block_type: 'general',
  status: 'draft',
  event_slug: null,
  image_url: null,
  image_size: null,
  publish_after: null,
} as const satisfies Partial<NewBlock>

/** What a caller changes of a block: what is left out stays, `null` empties what may be empty. */
export const BlockChange = v.partial(v.strictObject(fields))
export type BlockChange = v.InferOutput<typeof BlockChange>
