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
  status?: BlockStatus
  publish_after?: Date | string | null
}

/** What an issue says; everything in it counts as hostile. */
export interface RenderableNewsletter {
  title: string
  subject_line: string | null
  preheader_text: string | null
  team: { name: string; brand_color: string | null }
  /** `YYYY-MM-DD`. */
  date?: string | null
  blocks: readonly RenderableBlock[]
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
): Section<Block>[] {
  const left = new Set(blocks)
  const filled = sections.map(({ title, block_types }) => {
    const own = [...left].filter(({ block_type }) =>
      block_types.some((type) => type === block_type),
    )
    for (const block of own) left.delete(block)
    return { title, blocks: own }
  })
  return [...filled, { title: 'More news', blocks: [...left] }].filter(
    ({ blocks: own }) => own.length > 0,
  )
}
