import * as v from 'valibot'
import { described } from '../described.ts'
import { blockSources, blockStatuses, blockTypes, bodyFormats, imageSizes } from '../vocabulary.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())
const address = v.pipe(v.string(), v.url())

export const Origin = v.strictObject({
  provider: described(v.nullable(v.string()), 'The integration that sent the item.', 'github'),
  external_id: described(
    v.nullable(v.string()),
    'The id of the item in the tool that it comes from.',
    'github:release:123',
  ),
  url: described(
    v.nullable(address),
    'Where the item can be read.',
    'https://github.com/acme/web/releases/tag/v2.0.0',
  ),
  author: described(v.nullable(v.string()), 'The author, as people know them.', 'Ada Lovelace'),
})

/** A content block as every response shows it. Times are RFC 3339 in UTC. */
export const ContentBlock = v.strictObject({
  id: described(v.string(), 'The id of the block.', 'cb_019a9f3e2b7c7d10a3b4c5d6e7f80912'),
  title: described(v.string(), 'The title, one line.', 'Version 2 is out'),
  body: described(
    v.string(),
    'The text, as `body_format` says: sanitized HTML, or plain text.',
    '<p>Search is twice as fast.</p>',
  ),
  body_format: described(v.picklist(bodyFormats), 'The format of `body`.', 'html'),
  block_type: described(v.picklist(blockTypes), 'What the block is about.', 'wins_milestones'),
  status: described(
    v.picklist(blockStatuses),
    '`draft` is to be reviewed, `ready` can be sent, `used` was sent.',
    'draft',
  ),
  source: described(
    v.picklist(blockSources),
    'How the block was created: by a person, a form, a model, this API, or ingest.',
    'webhook',
  ),
  event_slug: described(
    v.nullable(v.string()),
    'The event that the block is about.',
    'international-womens-day',
  ),
  image_url: described(
    v.nullable(address),
    'The address of the image.',
    'https://acme.example/search.png',
  ),
  image_alt: described(
    v.nullable(v.string()),
    'What people read who do not see the image; empty when it only decorates, null when nothing is known.',
    'A search for “holiday” with three results',
  ),
  image_size: described(
    v.nullable(v.picklist(imageSizes)),
    'How wide the image is in the newsletter.',
    'medium',
  ),
  image_focal_x: described(
    v.nullable(v.number()),
    'What stays visible when the image is cropped, from 0 (left) to 1 (right); null is the middle.',
    0.5,
  ),
  image_focal_y: described(
    v.nullable(v.number()),
    'What stays visible when the image is cropped, from 0 (top) to 1 (bottom); null is the middle.',
    0.25,
  ),
  origin: described(
    v.nullable(Origin),
    'Where the item comes from, its author and its link; null when nothing is known.',
    { provider: 'github', external_id: 'github:release:123', url: null, author: null },
  ),
  publish_after: described(
    v.nullable(instant),
    'The embargo: the block is not sent before this time.',
    '2027-01-31T09:00:00.000Z',
  ),
  api_key_name: described(
    v.nullable(v.string()),
    'The name of the key that created the block.',
    'GitHub',
  ),
  version: described(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'The number of the version; each change adds 1. The `ETag` contains it.',
    1,
  ),
  created_at: described(instant, 'When the block was created.', '2026-11-20T09:30:00.000Z'),
  updated_at: described(instant, 'When the block was last changed.', '2026-11-20T09:30:00.000Z'),
})
export type ContentBlock = v.InferOutput<typeof ContentBlock>
