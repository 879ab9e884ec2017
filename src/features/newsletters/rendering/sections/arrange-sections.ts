import type { Template } from '../../../../contract/newsletters/template.ts'
import { sectionMark } from '../composer-marks.ts'
import type { RenderableBlock, RenderableElement, RenderableNewsletter } from '../renderable.ts'
import { isPerson } from './block-kinds.ts'
import { sectionsOf } from './template-sections.ts'

type ElementOf<Type> = Extract<RenderableElement, { type: Type }>

/** An entry of a section: a block, two people beside each other, or an element. */
export type SectionItem =
  | { kind: 'block'; block: RenderableBlock }
  | { kind: 'people'; blocks: RenderableBlock[] }
  | { kind: 'divider' }
  | { kind: 'callout'; callout: ElementOf<'callout'> }
  | { kind: 'poll'; poll: ElementOf<'poll'> }

export interface ArrangedSection {
  /** Null for entries before the first heading. */
  title: string | null
  /** Names the heading in the composer. */
  mark?: string | undefined
  items: SectionItem[]
}

/**
 * A newsletter in the order in which it is read. When it has elements, it is in the team's own order
 * with its own headings; otherwise the blocks are in the sections of the template.
 */
export function arrangeSections(
  sections: Template['sections'],
  newsletter: RenderableNewsletter,
  moreNews: string,
): ArrangedSection[] {
  const { blocks, elements = [] } = newsletter
  if (elements.length > 0) return ownSections(blocks, elements)
  return sectionsOf(sections, blocks, moreNews).map(({ title, blocks: own }, at) => ({
    title,
    mark: sectionMark(at),
    items: groupPeople(own.map((block) => ({ kind: 'block', block }))),
  }))
}

function ownSections(
  blocks: readonly RenderableBlock[],
  elements: readonly RenderableElement[],
): ArrangedSection[] {
  const filled: ArrangedSection[] = [{ title: null, items: [] }]
  const add = (item: SectionItem) => filled.at(-1)?.items.push(item)
  const addElement = (element: RenderableElement) => {
    if (element.type === 'section')
      filled.push({ title: element.heading, mark: element.mark, items: [] })
    else add(itemOf(element))
  }
  for (const [at, block] of blocks.entries()) {
    elements.filter((one) => one.before_position === at + 1).forEach(addElement)
    add({ kind: 'block', block })
  }
  elements.filter((one) => one.before_position > blocks.length).forEach(addElement)
  return filled
    .filter(({ items }) => items.length > 0)
    .map(({ items, ...section }) => ({ ...section, items: groupPeople(items) }))
}

function itemOf(element: Exclude<RenderableElement, { type: 'section' }>): SectionItem {
  if (element.type === 'callout') return { kind: 'callout', callout: element }
  return element.type === 'poll' ? { kind: 'poll', poll: element } : { kind: 'divider' }
}

function groupPeople(items: readonly SectionItem[]): SectionItem[] {
  const grouped: SectionItem[] = []
  for (const item of items) {
    const before = grouped.at(-1)
    if (item.kind !== 'block' || !isPerson(item.block)) grouped.push(item)
    else if (before?.kind === 'people') before.blocks.push(item.block)
    else grouped.push({ kind: 'people', blocks: [item.block] })
  }
  return grouped
}

/** The blocks of a section in their order. */
export const blocksOf = ({ items }: ArrangedSection): RenderableBlock[] =>
  items.flatMap((item) => {
    if (item.kind === 'people') return item.blocks
    return item.kind === 'block' ? [item.block] : []
  })
