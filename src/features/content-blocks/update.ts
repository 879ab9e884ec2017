import type { ContentBlock } from '../../contract/blocks/content-block.ts'
import type { BlockChange } from '../../contract/blocks/input.ts'
import { maxBodyBytes } from '../../contract/text.ts'
import { isSameUri, sameAddresses } from '../../contract/uri.ts'
import type { BlockStatus } from '../../contract/vocabulary.ts'
import { type Context, inTransaction, memberIdOf, type TxContext } from '../../lib/context.ts'
import { sendChange } from '../../lib/database/changes.ts'
import { AppError, invalidField, notFound } from '../../lib/errors.ts'
import { comparable, type ExpectedVersions, requireVersion } from '../../lib/versions.ts'
import { recordAudit } from '../audit-log/index.ts'
import { recordBlockVersions, saveFirstBlockVersions } from '../versions/index.ts'
import { type ConvertBody, convertWritten } from './body.ts'
import { getBlock, toContentBlock } from './get.ts'
import { lockNewslettersOfBlocks } from './newsletters-sql.ts'
import { type BlockRow, lockBlock, selectBlock, updateBlockRow } from './sql.ts'
import { updateChangedBy } from './usage-sql.ts'

// Only sending a newsletter makes a block `used`; a used block can become ready to be used again.
const transitions: Record<BlockStatus, readonly BlockStatus[]> = {
  draft: ['ready'],
  ready: ['draft'],
  used: ['ready'],
}

interface BlockUpdate {
  id: string
  change: BlockChange
  /** Converts the body; without it, a long one delays other requests. */
  convert?: ConvertBody
  /** The versions that may be changed; null for any. */
  expected: ExpectedVersions
  /** True for a key that may not make blocks ready: it changes drafts only. */
  draftsOnly?: boolean
  /** The earlier version that the change restores. */
  restored?: number
}

/**
 * Changes a block and returns it; a change without a difference keeps its version. Throws
 * `not_found`, `version_mismatch`, `invalid_transition`, `validation_failed`, `insufficient_scope`.
 */
export async function updateBlock(ctx: Context, input: BlockUpdate): Promise<ContentBlock> {
  return await inTransaction(ctx, async (txCtx) => {
    const { before, after } = await saveChange(txCtx, input)
    if (after.version !== before.version) {
      await updateChangedBy(txCtx.sql, ctx.actor.teamId, input.id, memberIdOf(ctx))
      const isReview = after.status !== before.status
      const subject = isReview ? `${after.title} (${after.status})` : after.title
      const edited = input.restored === undefined ? 'block_updated' : 'block_version_restored'
      await recordAudit(txCtx, isReview ? 'block_reviewed' : edited, subject)
    }
    return after
  })
}

/**
 * Changes a block as `updateBlock` does, for a connection. The audit log gets no entry, because the
 * delivery records what the provider changed.
 */
export async function updateConnectionBlock(
  ctx: TxContext,
  input: Omit<BlockUpdate, 'expected'>,
): Promise<ContentBlock> {
  return (await saveChange(ctx, { ...input, expected: null })).after
}

async function saveChange(
  ctx: TxContext,
  { id, change, convert, expected, draftsOnly = false, restored }: BlockUpdate,
): Promise<{ before: BlockRow; after: ContentBlock }> {
  const before = await lockBlockVersion(ctx, { id, expected })
  const next = {
    ...before,
    ...resetImageUse(before, change),
    ...definedOf(change),
    ...sameAddresses(before, change, ['image_url', 'source_url']),
    ...(await changedBody(before, change, convert)),
  }
  requireTransition(before.status, next.status)
  if (!differs(before, next)) return { before, after: toContentBlock(before) }
  if (draftsOnly && next.status !== 'draft') throw reviewed(next.status)
  await saveFirstBlockVersions(ctx, [id])
  const after = await updateBlockRow(ctx.sql, { ...next, updated_at: ctx.now() })
  await recordBlockVersions(ctx, { ids: [id], restored })
  const team = ctx.actor.teamId
  await sendChange(ctx.sql, { topic: 'blocks', team, blocks: [id], by: memberIdOf(ctx) })
  return { before, after: toContentBlock(after) }
}

/**
 * Locks a block until the transaction ends, and returns it. Throws `not_found` and
 * `version_mismatch`.
 */
export async function lockBlockVersion(
  { sql, actor: { teamId } }: TxContext,
  { id, expected }: Omit<BlockUpdate, 'change'>,
): Promise<BlockRow> {
  await lockNewslettersOfBlocks(sql, teamId, [id])
  const row = (await lockBlock(sql, teamId, id)) && (await selectBlock(sql, teamId, id))
  if (!row) throw notFound('The content block')
  requireVersion(expected, row.version)
  return row
}

/** What a person has reviewed, a key without this permission must not change unseen. */
const reviewed = (status: BlockStatus) =>
  new AppError(
    'insufficient_scope',
    status === 'ready'
      ? 'This key may only change drafts, and the block is ready. Send status "draft" with the change.'
      : 'This key may only change drafts, and the block was sent.',
    { extra: { required_scope: 'write', required_option: 'allow_auto_ready' } },
  )

function requireTransition(from: BlockStatus, to: BlockStatus): void {
  const allowed = transitions[from]
  if (from === to || allowed.includes(to)) return
  throw new AppError('invalid_transition', `A ${from} block cannot become ${to}.`, {
    extra: { from, to, allowed },
  })
}

/**
 * Throws `validation_failed` for a text that is too long, unless the text that it replaces is as long: HTML of the
 * maximum size can be longer once it is sanitized. Throws `not_found`.
 */
export async function requireBodyFits(
  ctx: Context,
  { id, body = '' }: { id: string; body?: string | undefined },
): Promise<void> {
  const bytes = Buffer.byteLength(body)
  if (bytes <= maxBodyBytes) return
  if (bytes <= Buffer.byteLength((await getBlock(ctx, id)).body)) return
  throw invalidField('/body', `body must be at most ${maxBodyBytes / 1024} KiB`)
}

async function changedBody(
  current: BlockRow,
  { body, body_format: format }: BlockChange,
  convert: ConvertBody = convertWritten,
): Promise<Pick<Partial<BlockRow>, 'body' | 'body_format'>> {
  if (body === undefined && format === undefined) return {}
  const stored = await convert({ body: body ?? current.body, format: format ?? null })
  return { body: stored.body, body_format: stored.body_format }
}

/** What is known of an image does not apply to another image. */
const resetImageUse = (current: BlockRow, { image_url }: BlockChange): Partial<BlockRow> =>
  image_url === undefined || isSameUri(image_url, current.image_url)
    ? {}
    : { image_alt: null, image_focal_x: null, image_focal_y: null }

/** A change without the fields that were left out. */
function definedOf(change: BlockChange): Partial<BlockRow> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

const editable = [
  ...(['title', 'body', 'body_format', 'block_type', 'status', 'event_slug'] as const),
  ...(['image_url', 'image_alt', 'image_size', 'image_focal_x', 'image_focal_y'] as const),
  ...(['author', 'source_url', 'publish_after'] as const),
]

function differs(a: BlockRow, b: BlockRow): boolean {
  return editable.some((field) => comparable(a[field]) !== comparable(b[field]))
}
