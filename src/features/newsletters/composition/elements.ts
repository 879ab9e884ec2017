import { isDeepStrictEqual } from 'node:util'
import {
  type ElementChange,
  maxElements,
  NewElement,
  type NewsletterElement,
} from '../../../contract/newsletters/element.ts'
import { isSameUri } from '../../../contract/uri.ts'
import { type Context, inTransaction } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { invalidField, notFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { parseInput } from '../../../lib/parse.ts'
import type { ExpectedVersions } from '../../../lib/versions.ts'
import { lockEditableNewsletter } from '../update.ts'
import { saveBlocksChange } from './blocks.ts'
import { selectNewsletterBlocks } from './blocks-sql.ts'
import {
  deleteElement,
  type ElementContent,
  type ElementRow,
  insertElement,
  selectElements,
  updateElementContent,
  updateElementPositions,
} from './elements-sql.ts'
import { richText } from './rich-text.ts'

/** An element, and the version of its newsletter. */
interface SavedElement {
  element: NewsletterElement
  version: number
}

/**
 * Adds a heading, a divider, a callout or a poll to a newsletter: before the block at a position, after
 * what is there already; without a position, at the end. Throws `not_found`, `newsletter_sent`, and
 * `validation_failed` when the newsletter has as many elements as it can have.
 */
export async function addElement(
  ctx: Context,
  { id, element }: { id: string; element: NewElement },
): Promise<SavedElement> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected: null })
    const { sql } = txCtx
    const [blocks, elements] = [
      await selectNewsletterBlocks(sql, teamId, id),
      await selectElements(sql, teamId, id),
    ]
    if (elements.length >= maxElements) {
      throw invalidField('/type', `a newsletter has at most ${maxElements} elements`, 'too_many')
    }
    const at = txCtx.now()
    const end = blocks.length + 1
    const row: ElementRow = {
      id: newId('ne', at),
      type: element.type,
      before_position: Math.min(element.before_position ?? end, end),
      ...elementContentOf(element),
    }
    await insertElement(sql, teamId, id, { ...row, created_at: at })
    await saveBlocksChange(txCtx, { newsletter, at })
    return { element: row, version: newsletter.version + 1 }
  })
}

/** What an element says, with its text sanitized. Throws `validation_failed` when nothing is left of it. */
export function elementContentOf(element: NewElement): ElementContent {
  const body = element.type === 'callout' ? richText(element.body, '/body') : null
  return {
    heading: 'heading' in element ? (element.heading ?? null) : null,
    body,
    options: element.type === 'poll' ? element.options : null,
  }
}

/** The options of a poll whose address is that of the stored option keep it as it is stored. */
const withSameAddresses = (content: ElementContent, current: ElementRow): ElementContent => {
  const keep = (option: { label: string; url: string }, at: number) => {
    const stored = current.options?.[at]?.url ?? option.url
    return isSameUri(option.url, stored) ? { ...option, url: stored } : option
  }
  return { ...content, options: content.options?.map(keep) ?? null }
}

interface ElementUpdate {
  id: string
  elementId: string
  change: ElementChange
  expected: ExpectedVersions
}

/**
 * Changes an element; what is left out stays. A change without a difference keeps the version. Throws `not_found`, `newsletter_sent`,
 * `version_mismatch`, and `validation_failed` for a field that its type does not have.
 */
export async function updateElement(
  ctx: Context,
  { id, elementId, change, expected }: ElementUpdate,
): Promise<SavedElement> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected })
    const { sql } = txCtx
    const elements = await selectElements(sql, teamId, id)
    const current = elementOf(elements, elementId)
    const content = withSameAddresses(elementContentOf(withChange(current, change)), current)
    const blocks = await selectNewsletterBlocks(sql, teamId, id)
    const before_position = Math.min(
      change.before_position ?? current.before_position,
      blocks.length + 1,
    )
    const element = { ...current, ...content, before_position }
    if (isDeepStrictEqual(element, current)) return { element, version: newsletter.version }
    await updateElementContent(sql, teamId, id, { id: elementId, ...content })
    if (before_position !== current.before_position) {
      const others = elements.filter((one) => one !== current)
      const positions = [...others, { id: elementId, before_position }]
      const sorted = positions.toSorted((one, other) => one.before_position - other.before_position)
      await updateElementPositions(sql, teamId, id, sorted)
    }
    await saveBlocksChange(txCtx, { newsletter, at: txCtx.now() })
    return { element, version: newsletter.version + 1 }
  })
}

/** An element of a newsletter. Throws `not_found`. */
export async function requireElement(
  { sql, actor: { teamId } }: Context,
  { id, elementId }: Pick<ElementUpdate, 'id' | 'elementId'>,
): Promise<ElementRow> {
  return elementOf(await withDeadline(selectElements(sql, teamId, id)), elementId)
}

function elementOf(elements: readonly ElementRow[], elementId: string): ElementRow {
  const element = elements.find((one) => one.id === elementId)
  if (!element) throw notFound('The element')
  return element
}

/** An element with a change, checked as a new element of its type is. */
export function withChange(
  current: ElementRow,
  { before_position: _, ...change }: ElementChange,
): NewElement {
  const { id: __, before_position: ___, ...stored } = current
  const fields = Object.entries({ ...stored, ...change }).filter(([, value]) => value !== null)
  return parseInput(NewElement, Object.fromEntries(fields))
}

/** Removes an element from a newsletter. Throws `not_found`, `newsletter_sent`, `version_mismatch`. */
export async function removeElement(
  ctx: Context,
  { id, elementId, expected }: Omit<ElementUpdate, 'change'>,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const newsletter = await lockEditableNewsletter(txCtx, { id, expected })
    elementOf(await selectElements(txCtx.sql, teamId, id), elementId)
    await deleteElement(txCtx.sql, teamId, id, elementId)
    await saveBlocksChange(txCtx, { newsletter, at: txCtx.now() })
  })
}
