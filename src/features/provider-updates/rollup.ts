import { maxBodyBytes, maxTitleCharacters } from '../../contract/text.ts'
import type { Now } from '../../lib/clock.ts'
import { isoWeek } from '../../lib/clock.ts'
import type { Sql, Tx } from '../../lib/db.ts'
import { sanitizeHtml } from '../../lib/sanitize-html.ts'
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
import { type BlockReference, type UpdateSource, withConnectionLock } from './update-source.ts'

/** An item for a roll-up. */
export interface RollupNews {
  externalId: string
  title: string
  body: string
  /** Its index in its delivery, from 0. */
  index: number
  group: {
    key: string
    /** The name of several of them, such as `releases of acme/web`. */
    name: string
  }
}

export type RollupResult =
  /** The item is in this block: `added` now or before. */
  | { kind: 'gathered'; block: BlockReference; added: boolean }
  /** The item was added before, and a person has deleted the block since. */
  | { kind: 'gone' }
  /**
   * There is no draft to add the item to. It becomes a block of its own, which is then passed as
   * `own`.
   */
  | { kind: 'alone' }

/**
 * Adds an item to the roll-up of its group and ISO week (UTC), newest first and each item once,
 * while that block is a draft in no newsletter and has room. `own` is the block that the item has
 * become meanwhile: it becomes the roll-up to which the next items are added, or it is merged into
 * a roll-up that another delivery has created.
 */
export async function addToRollup(
  sql: Sql,
  now: Now,
  teller: UpdateSource,
  news: RollupNews,
  own: BlockReference | null = null,
): Promise<RollupResult> {
  const key: RollupKey = {
    team_id: teller.teamId,
    connection_id: teller.connectionId,
    group_key: news.group.key,
    week: isoWeek(teller.receivedAt),
  }
  return await withConnectionLock(sql, teller, async (tx) => {
    const known = await selectRollupItem(tx, key, news.externalId)
    if (known) return await findExisting(tx, teller, known, own)
    // The item has a block already: ingest knows whether this delivery created it.
    if (!own && (await lockConnectionBlock(tx, teller.teamId, teller.keyId, news)))
      return standalone
    const open = await findOpenRollup(tx, teller, key)
    const added = open && (await add(tx, now, teller, key, open, news, own !== null))
    if (added || !own) return added ?? standalone
    await upsertRollup(tx, key, { block_id: own.id, title: own.title })
    await insertRollupItem(tx, key, itemOf(teller, news, own.id))
    return { kind: 'gathered', block: own, added: true }
  })
}

const standalone: RollupResult = { kind: 'alone' }

async function findExisting(
  tx: Tx,
  { teamId, keyId }: UpdateSource,
  known: RollupItem,
  own: BlockReference | null,
): Promise<RollupResult> {
  if (own && own.id !== known.block_id) {
    await withdrawBlocks(tx, teamId, keyId, [known.external_id])
  }
  const block = await lockConnectionBlock(tx, teamId, keyId, { id: known.block_id })
  return block ? { kind: 'gathered', block, added: false } : { kind: 'gone' }
}

/** The block to which items of the group can be added. */
async function findOpenRollup(
  tx: Tx,
  { teamId, keyId }: UpdateSource,
  key: RollupKey,
): Promise<(ConnectionBlock & { lastTitle: string }) | undefined> {
  const rollup = await selectRollup(tx, key)
  if (!rollup) return undefined
  const block = await lockConnectionBlock(tx, teamId, keyId, { id: rollup.block_id })
  const isOpen = block?.unused && block.status === 'draft' && block.body_format === 'html'
  return isOpen ? { ...block, lastTitle: rollup.title } : undefined
}

async function add(
  tx: Tx,
  now: Now,
  teller: UpdateSource,
  key: RollupKey,
  open: ConnectionBlock & { lastTitle: string },
  news: RollupNews,
  standsAlone: boolean,
): Promise<RollupResult | undefined> {
  const item = itemOf(teller, news, open.id)
  const items = await selectRollupItems(tx, key, open.id)
  const body = withPart(open, items, item, partOf(item, news))
  if (Buffer.byteLength(body) > maxBodyBytes) return undefined
  if (standsAlone && !(await withdrawStandalone(tx, teller, news))) return undefined
  // A title that a person has written is kept.
  const title =
    open.title === open.lastTitle
      ? titleOf(items.length + 1, news.group.name, teller.receivedAt)
      : open.title
  await updateRollupBlock(tx, now, teller.teamId, open.id, { title, body })
  await upsertRollup(tx, key, { block_id: open.id, title })
  await insertRollupItem(tx, key, item)
  return { kind: 'gathered', block: { id: open.id, title }, added: true }
}

/** Removes the block that an item has become by itself; false when people use it. */
async function withdrawStandalone(
  tx: Tx,
  { teamId, keyId }: UpdateSource,
  { externalId }: RollupNews,
): Promise<boolean> {
  const block = await lockConnectionBlock(tx, teamId, keyId, { externalId })
  if (block && !(block.unused && block.status === 'draft' && block.version === 1)) return false
  await withdrawBlocks(tx, teamId, keyId, [externalId])
  return true
}

/**
 * The title of a roll-up, such as `3 releases of acme/web, 16–22 November`: "this week" would be
 * wrong when the newsletter is read.
 */
const titleOf = (count: number, name: string, receivedAt: Date) =>
  [...`${count} ${name}, ${weekInWords(receivedAt)}`].slice(0, maxTitleCharacters).join('')

/** The week (Monday to Sunday, UTC) of a moment as its first and last day: `16–22 November`. */
function weekInWords(at: Date): string {
  const monday = new Date(at)
  monday.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7))
  const sunday = new Date(monday)
  sunday.setUTCDate(monday.getUTCDate() + 6)
  // Days of one month are written without spaces around the dash.
  return dayRange.formatRange(monday, sunday).replace(/^(\d+)\s–\s(\d+)/u, '$1–$2')
}

const dayRange = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

const itemOf = (
  { deliveryId }: UpdateSource,
  { externalId, index, title }: RollupNews,
  blockId: string,
): RollupItem => ({
  external_id: externalId,
  block_id: blockId,
  sort_key: `${deliveryId}.${String(index).padStart(4, '0')}`,
  heading: sanitizeHtml(`<h3>${Bun.escapeHTML(title)}</h3>`),
})

function partOf({ heading }: RollupItem, news: RollupNews): string {
  const { body, body_format } = prepareBody(news.body)
  const html =
    body_format === 'html' ? body : `<p>${Bun.escapeHTML(body).replaceAll('\n', '<br />')}</p>`
  return `${heading}\n${html}`
}

/**
 * The body with a part inserted before the next older part, which is found by its heading, so that
 * people's edits are kept. Where that heading was edited, the part is inserted at the top.
 */
function withPart(
  { body }: ConnectionBlock,
  items: readonly RollupItem[],
  { sort_key: place }: RollupItem,
  part: string,
): string {
  const [only, ...others] = items
  // A block of one item has its title as heading.
  const whole = only && others.length === 0 ? `${only.heading}\n${body}` : body
  const older = items.find((item) => item.sort_key < place)
  if (!older) return `${whole}\n${part}`
  const at = Math.max(whole.indexOf(older.heading), 0)
  return `${whole.slice(0, at)}${part}\n${whole.slice(at)}`
}
