import * as v from 'valibot'
import { described } from '../described.ts'
import {
  contentAddress,
  maxAuthorCharacters,
  maxBodyBytes,
  maxTitleCharacters,
  prepared,
  singleLineText,
  slug,
  text,
  timestamp,
} from '../text.ts'
import { blockTypes, ingestFormats } from '../vocabulary.ts'

/**
 * The source of an image; any value is accepted. A value that is not an image is left out with a warning, so that
 * the item is stored without it. A value that is not a text counts as an empty text.
 */
const anyImageSource = prepared(v.pipe(v.string(), v.metadata({ format: 'uri' })), (source) =>
  typeof source === 'string' ? source : '',
)

/**
 * What a tool posts to `POST /api/v1/webhooks/ingest`. Unknown fields are dropped, since no-code
 * tools add their own; `null` counts as left out, since they send empty mappings as `null`.
 */
export const IngestPayload = v.object({
  title: described(singleLineText(maxTitleCharacters), 'The title, one line.', 'Version 2 is out'),
  body: described(
    text(maxBodyBytes),
    'The text: plain text, HTML or Markdown, at most 64 KiB of UTF-8.',
    '<p>Search is twice as fast.</p>',
  ),
  body_format: v.nullish(
    described(
      v.picklist(ingestFormats, `must be one of ${ingestFormats.join(', ')}`),
      'The format of `body`. Without it, the format is detected as `html` or `text`; in doubt, it is `text`.',
      'html',
    ),
  ),
  block_type: v.nullish(
    described(
      v.picklist(blockTypes, `must be one of ${blockTypes.join(', ')}`),
      'What the block is about; without it, `general`.',
      'wins_milestones',
    ),
  ),
  event_slug: v.nullish(
    described(
      slug,
      'Links the block to an event, also to one that is created later.',
      'release-party',
    ),
  ),
  auto_ready: v.nullish(
    described(
      v.boolean('must be true or false'),
      'True makes the block `ready` at once; otherwise it is a `draft`.',
      false,
    ),
  ),
  external_id: v.nullish(
    described(
      singleLineText(255),
      'The id of the item in your tool: the same one sent again creates no second block, also with a key that replaces this one by rotation.',
      'github:release:123',
    ),
  ),
  source_url: v.nullish(
    described(
      contentAddress,
      'Where the item can be read.',
      'https://github.com/acme/web/releases/tag/v2.0.0',
    ),
  ),
  author: v.nullish(
    described(
      singleLineText(maxAuthorCharacters),
      'The author, as people know them.',
      'Ada Lovelace',
    ),
  ),
  image_url: v.nullish(
    described(contentAddress, 'The address of an image.', 'https://acme.example/search.png'),
  ),
  image: v.nullish(
    described(
      anyImageSource,
      'The https address of an image, which is fetched and stored, or the image itself as a data URI in base64; instead of `image_url`. A bulk request takes data URIs only.',
      'https://acme.example/search.png',
    ),
  ),
  image_alt: v.nullish(
    described(
      singleLineText(500),
      'What people read who do not see the image.',
      'A search for “holiday” with three results',
    ),
  ),
  publish_after: v.optional(
    described(
      v.nullable(timestamp),
      'The embargo: the block is not sent before this time.',
      '2027-01-31T09:00:00Z',
    ),
  ),
})

/** The payload as it arrives: what an adapter composes and a client sends. */
export type IngestPayload = v.InferInput<typeof IngestPayload>

/** The payload after parsing: defaults filled in, text normalized, times as `Date`. */
export type IngestItem = v.InferOutput<typeof IngestPayload>
