import * as v from 'valibot'
import { described } from '../described.ts'
import { imageUse } from '../image.ts'
import {
  contentAddress,
  emptyAsNull,
  maxAuthorCharacters,
  maxBodyBytes,
  maxStoredBodyBytes,
  maxTitleCharacters,
  singleLineText,
  slug,
  text,
  timestamp,
} from '../text.ts'
import { blockTypes, bodyFormats, imageSizes } from '../vocabulary.ts'

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  v.picklist(values, `must be one of ${values.join(', ')}`)

const fields = {
  title: described(singleLineText(maxTitleCharacters), 'The title, one line.', 'Summer party'),
  body: described(
    text(maxBodyBytes),
    'The text, at most 64 KiB of UTF-8. HTML is sanitized.',
    'On the roof, from six.',
  ),
  body_format: described(
    oneOf(bodyFormats),
    'The format of `body`; without it, the format is detected.',
    'text',
  ),
  block_type: described(
    oneOf(blockTypes),
    'What the block is about; a new block without it is `general`.',
    'event_announcement',
  ),
  status: described(
    v.picklist(
      ['draft', 'ready'],
      'must be draft or ready; a block becomes used when its newsletter is sent',
    ),
    '`draft` is to be reviewed, `ready` can be sent; a new block without it is a `draft`.',
    'draft',
  ),
  event_slug: described(emptyAsNull(slug), 'The event that the block is about.', 'summer-party'),
  image_url: described(
    emptyAsNull(contentAddress),
    'The address of an image.',
    'https://acme.example/roof.jpg',
  ),
  image_alt: imageUse.image_alt,
  image_size: described(
    emptyAsNull(oneOf(imageSizes)),
    'How wide the image is in the newsletter.',
    'medium',
  ),
  image_focal_x: imageUse.image_focal_x,
  image_focal_y: imageUse.image_focal_y,
  author: described(
    emptyAsNull(singleLineText(maxAuthorCharacters)),
    'The author, as people know them. Newsletters show it below the text.',
    'Ada Lovelace',
  ),
  source_url: described(
    emptyAsNull(contentAddress),
    'Where readers find more. Newsletters show it as “Read more”.',
    'https://acme.example/party',
  ),
  publish_after: described(
    emptyAsNull(timestamp),
    'The embargo: the block is not sent before this time.',
    '2027-01-31T09:00:00Z',
  ),
}

/** What a client sends as a new block. Unlike ingest, an unknown field is an error. */
export const NewBlock = v.strictObject({
  title: fields.title,
  body: fields.body,
  body_format: v.exactOptional(fields.body_format),
  block_type: v.exactOptional(fields.block_type),
  status: v.exactOptional(fields.status),
  event_slug: v.exactOptional(fields.event_slug),
  image_url: v.exactOptional(fields.image_url),
  image_alt: v.exactOptional(fields.image_alt),
  image_size: v.exactOptional(fields.image_size),
  image_focal_x: v.exactOptional(fields.image_focal_x),
  image_focal_y: v.exactOptional(fields.image_focal_y),
  author: v.exactOptional(fields.author),
  source_url: v.exactOptional(fields.source_url),
  publish_after: v.exactOptional(fields.publish_after),
})
export type NewBlock = v.InferOutput<typeof NewBlock>

/** What a new block is where its caller leaves a field out. */
export const newBlockDefaults = {
  block_type: 'general',
  status: 'draft',
  event_slug: null,
  image_url: null,
  image_alt: null,
  image_size: null,
  image_focal_x: null,
  image_focal_y: null,
  author: null,
  source_url: null,
  publish_after: null,
} as const satisfies Partial<NewBlock>

/** A text in place of that of a block: `requireBodyFits` checks its size. */
export const changedBody = described(
  text(maxStoredBodyBytes),
  'The text, at most 64 KiB of UTF-8, or as long as the text that it replaces: HTML can be longer once it is sanitized.',
  'On the roof, from six.',
)

/** What a caller changes of a block: what is left out stays, `null` empties what may be empty. */
export const BlockChange = v.partial(v.strictObject({ ...fields, body: changedBody }))
export type BlockChange = v.InferOutput<typeof BlockChange>
