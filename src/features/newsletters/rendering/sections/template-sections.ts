import type { Template } from '../../../../contract/newsletters/template.ts'
import type { RenderableBlock } from '../renderable.ts'

/** Blocks under their heading. */
export interface Section<Block = RenderableBlock> {
  title: string
  blocks: Block[]
}

/** The blocks in the sections of the template, in its order; blocks of no section come last. */
export function sectionsOf<Block extends { block_type: string }>(
  sections: Template['sections'],
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
