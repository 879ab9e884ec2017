import type { BlockStatus, ImageSize } from '../../../contract/vocabulary.ts'
import type { MailTemplate } from '../../templates/index.ts'
import type { Body } from './body.ts'

export interface RenderableBlock extends Body {
  block_type: string
  image_url: string | null
  /** The alternative text of an image of ours, null when it has none; of other images nothing is known. */
  image_alt?: string | null | undefined
  /** Null: as wide as the column. */
  image_size: ImageSize | null
  source_url?: string | null
  author?: string | null
  /** The day of the event that it announces, `YYYY-MM-DD`. */
  event_date?: string | null
  status?: BlockStatus
  publish_after?: Date | string | null
}

/** What a newsletter contains besides blocks, before the block at a position. */
export type RenderableElement = { before_position: number } & (
  | { type: 'section'; heading: string }
  | { type: 'divider' }
  | { type: 'callout'; heading: string | null; body: string }
  | { type: 'poll'; heading: string; options: readonly { label: string; url: string }[] }
)

interface Logo {
  url: string
  alt: string | null
  /** In pixels; null when they are not known. */
  width: number | null
  height: number | null
}

interface Cover {
  image_url: string | null
  image_alt: string | null
  color: string | null
}

/** What an issue says; everything in it counts as hostile. */
export interface RenderableNewsletter {
  title: string
  subject_line: string | null
  preheader_text: string | null
  team: {
    name: string
    brand_color: string | null
    logo?: Logo | null
    /** An email address, a web address or words. */
    contact?: string | null
    /** Where readers send their own news. */
    share_url?: string | null
  }
  /** `YYYY-MM-DD`. */
  date?: string | null
  cover?: Cover | null
  /** HTML above and below the blocks. */
  intro?: string | null
  closing?: string | null
  /** Whether a table of contents is shown; null: in long newsletters. */
  table_of_contents?: boolean | null
  blocks: readonly RenderableBlock[]
  elements?: readonly RenderableElement[]
  /** Where it can be read in a browser. */
  archive_url?: string | null
  /** A BCP 47 tag; `en` when left out or unknown. */
  lang?: string
}

/** Blocks under their heading. */
export interface Section<Block = RenderableBlock> {
  title: string
  blocks: Block[]
}

/** The blocks under the template's sections, in its order; those of no section come last. */
export function sectionsOf<Block extends { block_type: string }>(
  sections: MailTemplate['sections'],
  blocks: readonly Block[],
  moreNews = 'More news',
): Section<Block>[] {
  const left = new Set(blocks)
  const filled = sections.map(({ title, block_types }) => {
    const own = [...left].filter(({ block_type }) =>
      block_types.some((type) => type === block_type),
    )
    for (const block of own) left.delete(block)
    return { title, blocks: own }
  })
  return [...filled, { title: moreNews, blocks: [...left] }].filter(
    ({ blocks: own }) => own.length > 0,
  )
}
