import type { Newsletter } from '../../../../contract/newsletter.ts'
import { inSections } from '../../../../features/newsletters/index.ts'
import type { Context } from '../../../../lib/context.ts'
import type { TextKey, Translate } from '../../../locales/index.ts'

/** A block of a newsletter with the content block that it contains, or an element. */
export interface ArrangedBlock {
  id: string
  /** The id of the content block; null for an element. */
  blockId: string | null
  title: string
  block_type: Newsletter['blocks'][number]['content_block']['block_type']
  status: Newsletter['blocks'][number]['content_block']['status']
  /** Whether it is the heading of a section. */
  isSection: boolean
}

type Element = Newsletter['elements'][number]

/** What people call an element. */
export const elementLabels: Record<Element['type'], TextKey> = {
  section: 'newsletters.section',
  divider: 'newsletters.divider',
  callout: 'newsletters.callout',
  poll: 'newsletters.poll',
}

const arrangedElement = (t: Translate, { id, type, heading }: Element): ArrangedBlock => ({
  id,
  blockId: null,
  block_type: 'general',
  status: 'ready',
  isSection: type === 'section',
  title: heading === null ? t(elementLabels[type]) : `${t(elementLabels[type])}: ${heading}`,
})

/** The blocks and elements of a newsletter in the order in which they are read. */
function inReadingOrder(
  t: Translate,
  blocks: readonly ArrangedBlock[],
  elements: readonly Element[],
): ArrangedBlock[] {
  const before = (position: number) =>
    elements.filter((one) => one.before_position === position).map((one) => arrangedElement(t, one))
  return [
    ...blocks.flatMap((block, index) => [...before(index + 1), block]),
    ...before(blocks.length + 1),
  ]
}

/**
 * The blocks of a newsletter by section of its template, in the order of the email; with elements, one
 * list in the order of the team.
 */
export async function arrangeBySection(
  t: Translate,
  ctx: Context,
  { template_slug, blocks, elements }: Newsletter,
): Promise<{ title: string; blocks: ArrangedBlock[] }[]> {
  const arranged = blocks.map(({ id, content_block: { id: blockId, ...block } }): ArrangedBlock => {
    return { ...block, id, blockId, isSection: false }
  })
  if (elements.length === 0) return await inSections(ctx, { template_slug }, arranged)
  return [{ title: t('newsletters.your_own_order'), blocks: inReadingOrder(t, arranged, elements) }]
}

type Step = { up: true } | { down: true } | { before: string }

/**
 * Moves a block one step within its section, or before another block of the section (to the end when that
 * block does not exist). Returns the new order of all ids and the new position, or undefined when the
 * newsletter does not contain the block.
 */
export function moveBlock(
  sections: readonly { title: string; blocks: readonly ArrangedBlock[] }[],
  id: string,
  step: Step,
): { ids: string[]; title: string; position: number; of: number; section: string } | undefined {
  const section = sections.find(({ blocks }) => blocks.some((block) => block.id === id))
  const block = section?.blocks.find((one) => one.id === id)
  if (!section || !block) return undefined
  const from = section.blocks.indexOf(block)
  const others = section.blocks.filter((one) => one !== block)
  const to = Math.min(Math.max(targetIndex(others, from, step), 0), others.length)
  const order = others.toSpliced(to, 0, block)
  return {
    ids: sections.flatMap((one) => (one === section ? order : one.blocks).map((all) => all.id)),
    title: block.title,
    position: to + 1,
    of: order.length,
    section: section.title,
  }
}

function targetIndex(others: readonly ArrangedBlock[], from: number, step: Step): number {
  if ('up' in step) return from - 1
  if ('down' in step) return from + 1
  const at = others.findIndex(({ id }) => id === step.before)
  return at === -1 ? others.length : at
}
