import type { IngestPayload } from '../../src/contract/ingest.ts'
import type { BlockType } from '../../src/contract/vocabulary.ts'
import { type MarkdownNews, renderMarkdownBody } from './markdown.ts'
import { oneLine } from './text.ts'

/** A piece of news in the provider's words. */
interface NewsItem extends MarkdownNews {
  title: string
  blockType: BlockType
  /** The content key: what the news is about, so that it is told once. */
  externalId: string
  /** The public name of a person. */
  author?: string | undefined
}

/** The block a piece of news becomes: one line of title, a body that is never empty, a link. */
export function buildItem({
  title,
  blockType,
  externalId,
  author,
  ...news
}: NewsItem): IngestPayload {
  return {
    title: oneLine(title),
    body: renderMarkdownBody(news),
    block_type: blockType,
    external_id: externalId,
    source_url: news.url,
    author: oneLine(author ?? '') || undefined,
  }
}
