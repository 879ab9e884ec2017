import { type BlockChange, type NewBlock, newBlockDefaults } from '../../contract/block-input.ts'
import type { ContentBlock } from '../../contract/content-block.ts'
import type { BlockSource, BlockStatus, BodyFormat } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { AppError, invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { hasContent, looksLikeHtml, sanitizeHtml } from '../../lib/sanitize-html.ts'
import { type ExpectedVersions, requireVersion } from '../../lib/versions.ts'
import { toContentBlock } from './blocks.ts'
import {
  type BlockRow,
  deleteBlockRow,
  insertBlock,
  lockBlock,
  selectBlock,
  updateBlockRow,
} from './sql.ts'
import { selectUnsentNewsletterWith } from './usage-sql.ts'

/** Who makes a block, and by which way. */
export interface BlockCreator {
  teamId: string
  keyId: string | null
  source: BlockSource
}

/** A body as it is stored: HTML cleaned, plain text kept. Throws `validation_failed` for an empty rest. */
export function prepareBody(
  body: string,
  format: BodyFormat = looksLikeHtml(body) ? 'html' : 'text',
): { body: string; body_format: BodyFormat } {
  if (format === 'text') return { body, body_format: format }
  const cleaned = sanitizeHtml(body)
  if (!hasContent(cleaned)) {
    throw invalidField('/body', 'body has no content left once unsafe HTML is removed', 'empty')
  }
  return { body: cleaned, body_format: format }
}

/** Makes a block of a team. */
export async function createBlock(
  tx: Tx,
  now: Now,
  author: BlockCreator,
  input: NewBlock,
): Promise<ContentBlock> {
  const at = now()
  const id = newId('cb', at)
  await insertBlock(tx, {
    ...newBlockDefaults,
    ...input,
    ...prepareBody(input.body, input.body_format),
    id,
    team_id: author.teamId,
    source: author.source,
    api_key_id: author.keyId,
    created_at: at,
  })
  return await reload(tx, author.teamId, id)
}

// Only sending an issue makes a block `used`; from there it can be made ready to be used again.
const transitions: Record<BlockStatus, readonly BlockStatus[]> = {
  draft: ['ready'],
  ready: ['draft'],
  used: ['ready'],
}

/**
 * Changes a block; a change of nothing keeps its version. Throws `not_found`, `version_mismatch`,
 * `invalid_transition`.
 */
export async function updateBlock(
  tx: Tx,
  now: Now,
  teamId: string,
  id: string,
  change: BlockChange,
  expected: ExpectedVersions,
): Promise<ContentBlock> {
  const current = await lockCurrent(tx, teamId, id, expected)
  const next = { ...current, ...definedOf(change), ...changedBody(current, change) }
  requireTransition(current.status, next.status)
  if (!differs(current, next)) return toContentBlock(current)
  await updateBlockRow(tx, { ...next, updated_at: now() })
  return await reload(tx, teamId, id)
}

/**
 * Deletes a block; one that was sent lives on in what was sent. Throws `not_found`,
 * `version_mismatch`, and `block_in_use` while it stands in an unsent newsletter.
 */
export async function deleteBlock(
  tx: Tx,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<void> {
  await lockCurrent(tx, teamId, id, expected)
  const newsletter = await selectUnsentNewsletterWith(tx, teamId, id)
  if (newsletter) throw inUse(newsletter)
  await deleteBlockRow(tx, teamId, id)
}

function inUse(newsletter: { id: string; title: string }): AppError {
  return new AppError(
    'block_in_use',
    `The block stands in the newsletter "${newsletter.title}". Take it out there first.`,
    { extra: { newsletter } },
  )
}

async function lockCurrent(
  tx: Tx,
  teamId: string,
  id: string,
  expected: ExpectedVersions,
): Promise<BlockRow> {
  if (!(await lockBlock(tx, teamId, id))) throw notFound('The content block')
  const row = await requireBlock(tx, teamId, id)
  requireVersion(expected, row.version)
  return row
}

async function requireBlock(tx: Tx, teamId: string, id: string): Promise<BlockRow> {
  const row = await selectBlock(tx, teamId, id)
  if (!row) throw notFound('The content block')
  return row
}

async function reload(tx: Tx, teamId: string, id: string): Promise<ContentBlock> {
  return toContentBlock(await requireBlock(tx, teamId, id))
}

function requireTransition(from: BlockStatus, to: BlockStatus): void {
  const allowed = transitions[from]
  if (from === to || allowed.includes(to)) return
  throw new AppError('invalid_transition', `A ${from} block cannot become ${to}.`, {
    extra: { from, to, allowed },
  })
}

function changedBody(current: BlockRow, change: BlockChange): Partial<BlockRow> {
  if (change.body === undefined && change.body_format === undefined) return {}
  return prepareBody(change.body ?? current.body, change.body_format)
}

/** A change without the fields that were left out. */
function definedOf(change: BlockChange): Partial<BlockRow> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

const editable = [
  ...(['title', 'body', 'body_format', 'block_type', 'status', 'event_slug'] as const),
  ...(['image_url', 'image_size', 'publish_after'] as const),
]

function differs(a: BlockRow, b: BlockRow): boolean {
  return editable.some((field) => String(a[field]) !== String(b[field]))
}
