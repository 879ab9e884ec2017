import type { Newsletter } from '../../../../contract/newsletters/newsletter.ts'
import { groupBySection } from '../../../../features/newsletters/index.ts'
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
  /** The words of a heading of a section; null for everything else. */
  sectionTitle: string | null
}

type Element = Newsletter['elements'][number]

/** What people call an element. */
export const elementLabels: Record<Element['type'], TextKey> = {
  section: 'newsletters.section',
  divider: 'newsletters.divider',
  callout: 'newsletters.callout',
  poll: 'newsletters.poll',
}

/** What adds an element. */
export const addElementLabels: Record<Element['type'], TextKey> = {
  section: 'newsletters.add_a_section',
  divider: 'newsletters.add_a_divider',
  callout: 'newsletters.add_a_callout',
  poll: 'newsletters.add_a_poll',
}

const arrangedElement = (t: Translate, { id, type, heading }: Element): ArrangedBlock => ({
  id,
  blockId: null,
  block_type: 'general',
  status: 'ready',
  sectionTitle: type === 'section' ? (heading ?? t(elementLabels[type])) : null,
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
    return { ...block, id, blockId, sectionTitle: null }
  })
  if (elements.length === 0) return await groupBySection(ctx, { template_slug, blocks: arranged })
  return [{ title: t('newsletters.your_own_order'), blocks: inReadingOrder(t, arranged, elements) }]
}

type Step = { up: true } | { down: true } | { before: string }

/**
 * Moves a block one step within its section, or before another block of the section (to the end when that
 * block does not exist). Returns the new order of all ids and where the block is now, or undefined when
 * the newsletter does not contain the block.
 */
export function moveBlock(
  sections: readonly { title: string; blocks: readonly ArrangedBlock[] }[],
  id: string,
  step: Step,
): ({ ids: string[]; title: string } & PositionInSection) | undefined {
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
    ...positionInSection(order, block, section.title),
  }
}

/** The position of a block among the blocks below the same heading, from 1. */
interface PositionInSection {
  position: number
  of: number
  section: string
}

/** Where a block is. A heading counts among the headings, which structure the whole list. */
function positionInSection(
  order: readonly ArrangedBlock[],
  block: ArrangedBlock,
  title: string,
): PositionInSection {
  const isHeading = (one: ArrangedBlock | undefined) =>
    one !== undefined && one.sectionTitle !== null
  const at = order.indexOf(block)
  const heading = isHeading(block) ? undefined : order.slice(0, at).findLast(isHeading)
  const below = heading === undefined ? order : order.slice(order.indexOf(heading) + 1)
  const end = below.findIndex(isHeading)
  const peers = isHeading(block)
    ? order.filter(isHeading)
    : below.slice(0, end === -1 ? below.length : end)
  return {
    position: peers.indexOf(block) + 1,
    of: peers.length,
    section: heading?.sectionTitle ?? title,
  }
}

function targetIndex(others: readonly ArrangedBlock[], from: number, step: Step): number {
  if ('up' in step) return from - 1
  if ('down' in step) return from + 1
  const at = others.findIndex(({ id }) => id === step.before)
  return at === -1 ? others.length : at
}
