import type { View } from '../../../../lib/html/mjml.ts'
import { startsWithTitle } from '../../../../lib/text/starts-with-title.ts'
import type { RenderableBlock, RenderableNewsletter } from '../renderable.ts'
import { textBody } from '../text-body.ts'
import { type ArrangedSection, blocksOf } from './arrange-sections.ts'

/**
 * From this number of headings on, a newsletter has a table of contents unless its setting says
 * otherwise.
 */
const longFrom = { plain: 8, numbered: 3 }

/**
 * True when a newsletter has a table of contents: by its setting, or when it has many headings. A layout
 * that numbers its blocks shows one earlier.
 */
export function hasContents(
  { table_of_contents }: Pick<RenderableNewsletter, 'table_of_contents'>,
  sections: readonly ArrangedSection[],
  numbered: boolean,
): boolean {
  const listed = sections.flatMap(listedBlocks).length
  const least = numbered ? longFrom.numbered : longFrom.plain
  return listed > 0 && (table_of_contents ?? listed >= least)
}

/** The blocks of a section that have a heading, which a table of contents lists. */
export const listedBlocks = (section: ArrangedSection): RenderableBlock[] =>
  blocksOf(section).filter((block) => !startsWithTitle(block.title, textBody(block)))

/** The numbers of the blocks that a table of contents lists, from 1. */
export const numbersOf = (sections: readonly ArrangedSection[]): Map<RenderableBlock, number> =>
  new Map(sections.flatMap(listedBlocks).map((block, at) => [block, at + 1]))

/** The table of contents: the blocks by their titles, under the headings. */
export function contentsView(
  newsletter: RenderableNewsletter,
  sections: readonly ArrangedSection[],
  numbered: boolean,
): View {
  const numbers = numbersOf(sections)
  const filled = sections.filter((section) => listedBlocks(section).length > 0)
  return {
    contents: hasContents(newsletter, sections, numbered),
    contents_sections: filled.map((section) => ({
      section: section.title,
      links: listedBlocks(section).map((block) => {
        const number = numbers.get(block) ?? 0
        const prefix = numbered ? { html: `${number}.&nbsp;` } : ''
        return { number, prefix, entry: block.title }
      }),
    })),
  }
}
