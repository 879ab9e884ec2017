import * as v from 'valibot'
import { described } from './described.ts'
import { emptyAsNull, emptyOrLineText, prepared, singleLineText } from './text.ts'

const imageTypes = ['image/jpeg', 'image/png'] as const

/**
 * A place in an image, from 0 (left or top) to 1 (right or bottom). A number too small for the column,
 * which is a `real`, is 0.
 */
const share = prepared(
  v.pipe(
    v.number('must be a number from 0 to 1'),
    v.minValue(0, 'must be a number from 0 to 1'),
    v.maxValue(1, 'must be a number from 0 to 1'),
  ),
  (value) => (typeof value === 'number' && Math.abs(value) < 1e-6 ? 0 : value),
)

/** What people read who do not see the image. */
const alternativeText = singleLineText(500)

/** How a block uses its image, for new blocks and changes. */
export const imageUse = {
  image_alt: described(
    v.nullable(emptyOrLineText(500)),
    'What people read who do not see the image; empty for an image that only decorates.',
    'The team on the roof at sunset',
  ),
  image_focal_x: described(
    emptyAsNull(share),
    'What stays visible when the image is cropped, from 0 (left) to 1 (right), with about seven digits; null is the middle.',
    0.5,
  ),
  image_focal_y: described(
    emptyAsNull(share),
    'What stays visible when the image is cropped, from 0 (top) to 1 (bottom), with about seven digits; null is the middle.',
    0.25,
  ),
}

/** What an image has to be; for messages. */
export const imageSourceRule = 'must be an https address, or a data URI in base64'

/** The https address of an image, or the image itself as a data URI (RFC 2397) in base64. */
const imageSource = v.pipe(
  v.string(({ input }) => (input === undefined ? 'is required' : 'must be a string')),
  v.nonEmpty('is required'),
  v.check(isImageSource, imageSourceRule),
  v.metadata({ format: 'uri' }),
)

/** True for a data URI in base64 and for an address; whether that may be fetched is decided later. */
export function isImageSource(source: string): boolean {
  if (/^data:[^,]{0,200};base64,/i.test(source)) return true
  const url = source.length <= 2048 ? URL.parse(source) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
}

/** What a client sends as JSON to `POST /api/v1/images`. */
export const NewImage = v.strictObject({
  image: described(
    imageSource,
    'The https address of an image, or the image itself as a data URI in base64.',
    'https://acme.example/roof.jpg',
  ),
  alt: v.optional(
    described(
      emptyAsNull(alternativeText),
      'What people read who do not see the image.',
      'The team on the roof at sunset',
    ),
  ),
  focal_x: v.optional(
    described(
      emptyAsNull(share),
      'The important part, from 0 (left) to 1 (right); without it, 0.5.',
      0.5,
    ),
  ),
  focal_y: v.optional(
    described(
      emptyAsNull(share),
      'The important part, from 0 (top) to 1 (bottom); without it, 0.5.',
      0.4,
    ),
  ),
})
export type NewImage = v.InferOutput<typeof NewImage>

const count = v.pipe(v.number(), v.integer(), v.minValue(1))

/** An image as every response shows it. */
export const Image = v.strictObject({
  id: described(v.string(), 'The id of the image.', 'img_019a9f3e2b7c7d10a3b4c5d6e7f80912'),
  url: described(
    v.pipe(v.string(), v.url()),
    'The address of the image, for everybody who knows it; usable as `image_url` of a block.',
    `https://tidings.example/media/${'4f'.repeat(32)}.jpg`,
  ),
  type: described(v.picklist(imageTypes), 'The format in which it is stored.', 'image/jpeg'),
  width: described(count, 'The width in pixels, at most 1200.', 1200),
  height: described(count, 'The height in pixels, at most 4000.', 800),
  bytes: described(count, 'The size of the stored file in bytes.', 184_320),
  alt: described(
    v.nullable(v.string()),
    'What people read who do not see the image.',
    'The team on the roof at sunset',
  ),
  focal_x: described(share, 'The important part, from 0 (left) to 1 (right).', 0.5),
  focal_y: described(share, 'The important part, from 0 (top) to 1 (bottom).', 0.4),
  created_at: described(
    v.pipe(v.string(), v.isoTimestamp()),
    'When the image was first uploaded.',
    '2026-11-20T09:30:00.000Z',
  ),
})
export type Image = v.InferOutput<typeof Image>
