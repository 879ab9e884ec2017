import type { Newsletter } from '../../../contract/newsletter.ts'
import { sectionsOf } from '../../../features/newsletters/index.ts'
import { getTemplate } from '../../../features/templates/index.ts'
import type { Sql } from '../../../lib/db.ts'

/** A block where it stands in an issue. */
export interface PlacedBlock {
  id: string
  blockId: string
  title: string
  block_type: Newsletter['blocks'][number]['content_block']['block_type']
  status: Newsletter['blocks'][number]['content_block']['status']
}

/** The blocks of a newsletter under the headings where readers find them, in that order. */
export async function arrange(
  sql: Sql,
  teamId: string,
  { template_slug, blocks }: Newsletter,
): Promise<{ title: string; blocks: PlacedBlock[] }[]> {
  const { sections } = await getTemplate(sql, teamId, template_slug)
  const placed = blocks.map(({ id, content_block: { id: blockId, ...block } }): PlacedBlock => {
    return { ...block, id, blockId }
  })
  return sectionsOf(sections, placed)
}

type Step = { up: true } | { down: true } | { before: string }

/**
 * The ids of all places after one of them moved a step within its section, or before another there
 * (before none: to the end), with where it stands then. Undefined when it is not there.
 */
export function moved(
  sections: readonly { title: string; blocks: readonly PlacedBlock[] }[],
  id: string,
  step: Step,
): { ids: string[]; title: string; place: number; of: number; section: string } | undefined {
  const section = sections.find(({ blocks }) => blocks.some((block) => block.id === id))
  const block = section?.blocks.find((one) => one.id === id)
  if (!section || !block) return undefined
  const from = section.blocks.indexOf(block)
  const others = section.blocks.filter((one) => one !== block)
  const to = Math.min(Math.max(target(others, from, step), 0), others.length)
  const order = others.toSpliced(to, 0, block)
  return {
    ids: sections.flatMap((one) => (one === section ? order : one.blocks).map((all) => all.id)),
    title: block.title,
    place: to + 1,
    of: order.length,
    section: section.title,
  }
}

function target(others: readonly PlacedBlock[], from: number, step: Step): number {
  if ('up' in step) return from - 1
  if ('down' in step) return from + 1
  const at = others.findIndex(({ id }) => id === step.before)
  return at === -1 ? others.length : at
}
