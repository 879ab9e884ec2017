import type { ElementType } from '../../../contract/newsletters/element.ts'
import type { Sql, Tx } from '../../../lib/database/db.ts'
import type { RenderableElement } from '../rendering/renderable.ts'

/** What an element says; null where its type has no such field. */
export interface ElementContent {
  heading: string | null
  body: string | null
  options: { label: string; url: string }[] | null
}

export interface ElementRow extends ElementContent {
  id: string
  type: ElementType
  before_position: number
}

/** The elements of a newsletter in their order. */
export async function selectElements(
  sql: Sql | Tx,
  teamId: string,
  newsletterId: string,
): Promise<ElementRow[]> {
  return await sql<ElementRow[]>`
    select id, type, before_position, heading, body, options from newsletter_elements
    where team_id = ${teamId} and newsletter_id = ${newsletterId}
    order by before_position, sequence`
}

/** Stores elements of a newsletter after those with the same position. */
export async function insertElement(
  tx: Tx,
  teamId: string,
  newsletterId: string,
  row: ElementRow & { created_at: Date },
): Promise<void> {
  const options = row.options && JSON.stringify(row.options)
  await tx`
    insert into newsletter_elements (team_id, newsletter_id, id, type, before_position, heading,
      body, options, created_at, sequence)
    select ${teamId}, ${newsletterId}, ${row.id}, ${row.type}, ${row.before_position},
      ${row.heading}, ${row.body}, ${options}::text::jsonb, ${row.created_at},
      coalesce(max(sequence), 0) + 1
    from newsletter_elements where team_id = ${teamId} and newsletter_id = ${newsletterId}`
}

/** Changes what an element says. */
export async function updateElementContent(
  tx: Tx,
  teamId: string,
  newsletterId: string,
  row: ElementContent & { id: string },
): Promise<void> {
  const options = row.options && JSON.stringify(row.options)
  await tx`
    update newsletter_elements set heading = ${row.heading}, body = ${row.body},
      options = ${options}::text::jsonb
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and id = ${row.id}`
}

/** Deletes an element. */
export async function deleteElement(
  tx: Tx,
  teamId: string,
  newsletterId: string,
  id: string,
): Promise<void> {
  await tx`
    delete from newsletter_elements
    where team_id = ${teamId} and newsletter_id = ${newsletterId} and id = ${id}`
}

/** Deletes all elements of a newsletter. */
export async function deleteElements(tx: Tx, teamId: string, id: string): Promise<void> {
  await tx`delete from newsletter_elements where team_id = ${teamId} and newsletter_id = ${id}`
}

/** Puts the elements of a newsletter in this order, each before its position. */
export async function updateElementPositions(
  tx: Tx,
  teamId: string,
  newsletterId: string,
  positions: readonly Pick<ElementRow, 'id' | 'before_position'>[],
): Promise<void> {
  await tx`
    update newsletter_elements e set before_position = p.before_position, sequence = p.sequence
    from unnest(${positions.map(({ id }) => id)}::text[],
      ${positions.map(({ before_position }) => before_position)}::integer[])
      with ordinality as p (id, before_position, sequence)
    where e.team_id = ${teamId} and e.newsletter_id = ${newsletterId} and e.id = p.id`
}

/** A stored element as a newsletter shows it. The columns of its type are not null. */
export function toRenderableElement(row: ElementRow): RenderableElement {
  const { type, heading } = row
  const common = { before_position: row.before_position, mark: row.id }
  if (type === 'section') return { ...common, type, heading: heading ?? '' }
  if (type === 'callout') return { ...common, type, heading, body: row.body ?? '' }
  if (type === 'poll')
    return { ...common, type, heading: heading ?? '', options: row.options ?? [] }
  return { ...common, type }
}
