import type { IngestPayload } from '../../src/contract/ingest.ts'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import { headline } from './headline.ts'
import { fitsBody, oneLine } from './text.ts'

interface ItemInput {
  /** Plain text. */
  title: string
  /** HTML. When it is empty, the block contains its title only. */
  body: string
  blockType: BlockType
  /** The content key, which identifies what the item is about, so that it becomes one block. */
  externalId: string
  /**
   * The link to the original. Templates print it as "Read more", so the body does not repeat it.
   */
  url: string | undefined
  /** The public name of the author. */
  author?: string | undefined
}

/** An item as ingest accepts it: a headline, a body that is never empty, and one link. */
export function buildItem({
  title,
  body,
  blockType,
  externalId,
  url,
  author,
}: ItemInput): IngestPayload {
  const name = headline(title)
  const words = body !== '' && fitsBody(body) ? body : paragraph(name)
  return {
    title: name,
    body: words,
    block_type: blockType,
    external_id: externalId,
    source_url: url,
    author: oneLine(author ?? '') || undefined,
  }
}

/** Plain text as a paragraph. */
export const paragraph = (text: string): string => `<p>${Bun.escapeHTML(text)}</p>`
