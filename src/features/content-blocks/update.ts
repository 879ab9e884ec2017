import type { BlockChange } from '../../contract/block-input.ts'
import type { ContentBlock } from '../../contract/content-block.ts'
import type { BlockStatus } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { type ExpectedVersions, requireVersion } from '../../lib/versions.ts'
import { prepareBody } from './body.ts'
import { toContentBlock } from './get.ts'
import { type BlockRow, lockBlock, selectBlock, updateBlockRow } from './sql.ts'

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

export async function lockCurrent(
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

export async function reload(tx: Tx, teamId: string, id: string): Promise<ContentBlock> {
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
