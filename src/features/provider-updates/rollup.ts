import { maxBodyBytes, maxTitleCharacters } from '../../contract/text.ts'
import type { Language } from '../../contract/vocabulary.ts'
import { isoWeek } from '../../lib/clock.ts'
import type { KeyContext } from '../../lib/context.ts'
import { sanitizeHtml } from '../../lib/html/sanitize-html.ts'
import { formatMessage, localeOf } from '../../locales/index.ts'
import {
  type ConnectionBlock,
  lockConnectionBlock,
  prepareBody,
  updateRollupBlock,
  withdrawBlocks,
} from '../content-blocks/index.ts'
import {
  insertRollupItem,
  type RollupItem,
  type RollupKey,
  selectRollup,
  selectRollupItem,
  selectRollupItems,
  upsertRollup,
} from './sql.ts'
import {
  type BlockReference,
  type UpdateContext,
  type UpdateSource,
  withConnectionLock,
} from './update-source.ts'

/** An item that is combined with other items of its group in one block. */
interface GroupedItem {
  externalId: string
  title: string
  body: string
  /** The index among the items of its delivery, from 0. */
  index: number
  group: {
    key: string
    /** The name of several items of the group, such as `releases of acme/web`. */
    name: string
  }
}

interface RollupInput {
  source: UpdateSource
  item: GroupedItem
  /** The language of the title. */
  language: Language
  /** The block that ingest created from the item in the meantime. */
  own?: BlockReference
}

export type RollupResult =
  /** The block contains the item, since now (`added`) or since an earlier time. */
  | { kind: 'in_rollup'; block: BlockReference; added: boolean }
  /** The item was added before, and a person has deleted the block since. */
  | { kind: 'deleted' }
  /** There is no draft to add it to: it becomes a block of its own, which is passed as `own` then. */
  | { kind: 'standalone' }

/**
 * Adds an item to the block that combines the items of its group of one ISO week (UTC), newest
 * first and each only once, while that block is a draft in no newsletter and has room. With `own`,
 * that block becomes the roll-up of the group, or is merged into the roll-up that another delivery
 * created first. Throws `revoked_key`.
 */
export async function addToRollup(ctx: KeyContext, input: RollupInput): Promise<RollupResult> {
  const { source, item, own } = input
  const { teamId, keyId } = ctx.actor
  const key: RollupKey = {
    team_id: teamId,
    connection_id: source.connectionId,
    group_key: item.group.key,
    week: isoWeek(source.receivedAt),
  }
  return await withConnectionLock(ctx, source, async (txCtx) => {
    const { sql } = txCtx
    const known = await selectRollupItem(sql, key, item.externalId)
    if (known) return await findExisting(txCtx, known, own)
    // The block exists already; ingest reports whether this delivery has created it.
    if (!own && (await lockConnectionBlock(txCtx, { keyId, externalId: item.externalId })))
      return standalone
    const open = await findOpenRollup(txCtx, key)
    const added = open && (await addItem(txCtx, input, open))
    if (added || !own) return added ?? standalone
    await upsertRollup(sql, key, { block_id: own.id, title: own.title })
    await insertRollupItem(sql, key, rollupItemOf(input, own.id))
    return { kind: 'in_rollup', block: own, added: true }
  })
}

const standalone: RollupResult = { kind: 'standalone' }

async function findExisting(
  ctx: UpdateContext,
  known: RollupItem,
  own: BlockReference | undefined,
): Promise<RollupResult> {
  const { keyId } = ctx.actor
  if (own && own.id !== known.block_id) {
    await withdrawBlocks(ctx, { keyId, externalIds: [known.external_id] })
  }
  const block = await lockConnectionBlock(ctx, { keyId, id: known.block_id })
  return block ? { kind: 'in_rollup', block, added: false } : { kind: 'deleted' }
}

interface OpenRollup extends ConnectionBlock {
  key: RollupKey
  /**
   * The last title that was written by this function; a person can have changed the title since.
   */
  lastTitle: string
}

/** The block to which items of the group may still be added. */
async function findOpenRollup(ctx: UpdateContext, key: RollupKey): Promise<OpenRollup | undefined> {
  const rollup = await selectRollup(ctx.sql, key)
  if (!rollup) return undefined
  const block = await lockConnectionBlock(ctx, { keyId: ctx.actor.keyId, id: rollup.block_id })
  const isOpen = block?.unused && block.status === 'draft' && block.body_format === 'html'
  return isOpen ? { ...block, key, lastTitle: rollup.title } : undefined
}

async function addItem(
  ctx: UpdateContext,
  input: RollupInput,
  open: OpenRollup,
): Promise<RollupResult | undefined> {
  const { item, own } = input
  const { id, key } = open
  const added = rollupItemOf(input, id)
  const items = await selectRollupItems(ctx.sql, key, id)
  const body = insertPart(open, items, { ...added, part: partOf(added, item) })
  if (Buffer.byteLength(body) > maxBodyBytes) return undefined
  if (own && !(await withdrawStandalone(ctx, item))) return undefined
  // A title that a person has written stays.
  const title = open.title === open.lastTitle ? titleOf(input, items.length + 1) : open.title
  await updateRollupBlock(ctx, { id, title, body })
  await upsertRollup(ctx.sql, key, { block_id: id, title })
  await insertRollupItem(ctx.sql, key, added)
  return { kind: 'in_rollup', block: { id, title }, added: true }
}

/** Withdraws the block that ingest created from an item; false when people use it already. */
async function withdrawStandalone(
  ctx: UpdateContext,
  { externalId }: GroupedItem,
): Promise<boolean> {
  const { keyId } = ctx.actor
  const block = await lockConnectionBlock(ctx, { keyId, externalId })
  if (block && !(block.unused && block.status === 'draft' && block.version === 1)) return false
  await withdrawBlocks(ctx, { keyId, externalIds: [externalId] })
  return true
}

/** The title, such as `3 releases of acme/web, 16–22 November`: "this week" is wrong when the newsletter is read. */
function titleOf({ item, source, language }: RollupInput, count: number): string {
  const week = weekInWords(source.receivedAt, language)
  const title = formatMessage(language, 'rollup_title', { count, name: item.group.name, week })
  return [...title].slice(0, maxTitleCharacters).join('')
}

/** The week (Monday to Sunday, UTC) of a moment as its first and last day: `16–22 November`. */
function weekInWords(at: Date, language: Language): string {
  const monday = new Date(at)
  monday.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  const sunday = new Date(monday)
  sunday.setUTCDate(monday.getUTCDate() + 6)
  // Days of one month are written without spaces around the dash.
  const days = new Intl.DateTimeFormat(localeOf(language), dayAndMonth)
  return days.formatRange(monday, sunday).replace(/^(\d+)\s–\s(\d+)/u, '$1–$2')
}

const dayAndMonth = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const

const rollupItemOf = ({ source, item }: RollupInput, blockId: string): RollupItem => ({
  external_id: item.externalId,
  block_id: blockId,
  sort_key: `${source.deliveryId}.${String(item.index).padStart(4, '0')}`,
  heading: sanitizeHtml(`<h3>${Bun.escapeHTML(item.title)}</h3>`),
})

function partOf({ heading }: RollupItem, item: GroupedItem): string {
  const { body, body_format } = prepareBody(item.body)
  const html =
    body_format === 'html' ? body : `<p>${Bun.escapeHTML(body).replaceAll('\n', '<br />')}</p>`
  return `${heading}\n${html}`
}

/**
 * A block's body with a part inserted before the next older one, which is found by its heading, so that
 * a person's edits stay. When that heading was edited, the part is inserted at the top.
 */
function insertPart(
  { body }: ConnectionBlock,
  items: readonly RollupItem[],
  { sort_key, part }: { sort_key: string; part: string },
): string {
  const [only, ...others] = items
  // The title of a block with one item is the heading of that item.
  const whole = only && others.length === 0 ? `${only.heading}\n${body}` : body
  const older = items.find((item) => item.sort_key < sort_key)
  if (!older) return `${whole}\n${part}`
  const at = Math.max(whole.indexOf(older.heading), 0)
  return `${whole.slice(0, at)}${part}\n${whole.slice(at)}`
}
