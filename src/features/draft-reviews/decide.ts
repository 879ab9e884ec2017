import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { type QueueContext, sendMessages, updateMessage } from '../chat-messages/index.ts'
import { getBlock, lockBlockVersion, reviewBlocks, trashBlock } from '../content-blocks/index.ts'
import { isFromPrivate, listSenders } from '../contributors/index.ts'
import {
  clearDecisions,
  type Decision,
  type DraftReviewRow,
  insertReviews,
  lockReview,
  updateDecision,
} from './sql.ts'

/** A person of a chat who reviews. */
interface Reviewer {
  userId: string
  name: string
}

interface Review {
  connectionId: string
  blockId: string
  /** The version that the reviewer has read; null when nobody knows it, so that the draft counts as changed. */
  version: number | null
  decision: Decision
  reviewer: Reviewer
}

/** What became of a review. */
export type ReviewResult =
  | { outcome: 'decided' }
  /**
   * `reviewer` is null when the draft was reviewed in Tidings, and `title` for content from a private
   * conversation.
   */
  | {
      outcome: 'decided_before'
      title: string | null
      decision: Decision
      reviewer: Reviewer | null
    }
  /** The draft has changed since the reviewer has read it. `title` is null for content from a private conversation. */
  | { outcome: 'changed'; title: string | null }
  | { outcome: 'in_newsletter'; reason: string }
  /** The block was deleted. */
  | { outcome: 'missing' }

/**
 * Approves or declines a draft for the member who is the actor. Of several decisions the first counts, unless the
 * block is a draft again since; a repeated call decides nothing else, because a decision changes the version. A
 * declined block moves to the trash, and only the people who sent it are notified. Messages that show the draft are
 * updated.
 */
export async function decideDraft(
  ctx: Context & { queue: JobQueue },
  review: Review,
): Promise<ReviewResult> {
  try {
    return await inTransaction(ctx, (txCtx) => decideOnce(txCtx, review))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') return { outcome: 'missing' }
    if (error.code === 'block_in_use') return { outcome: 'in_newsletter', reason: error.message }
    throw error
  }
}

async function decideOnce(
  ctx: QueueContext,
  { connectionId, blockId, version, decision, reviewer }: Review,
): Promise<ReviewResult> {
  const { sql, now, actor } = ctx
  const review = await lockOrCreateReview(ctx, { connectionId, blockId })
  const undecided = await lockUndecided(ctx, connectionId, review)
  if ('decision' in undecided)
    return await decidedBefore(ctx, undecided, { decision, reviewer, review })
  const { message_id: messageId } = review
  if (undecided.version !== version) {
    if (messageId !== null) await updateMessage(ctx, { messageId, connectionId })
    return { outcome: 'changed', title: await titleIn(ctx, { blockId, title: undecided.title }) }
  }
  if (decision === 'approved') {
    await reviewBlocks(ctx, { seen: [{ id: blockId, version }], status: 'ready' })
  } else await decline(ctx, { blockId, title: review.title })
  const decided = { decided_by: reviewer.userId, decided_by_name: reviewer.name, at: now() }
  const row = { block_id: blockId, decision, ...decided }
  await updateDecision(sql, actor.teamId, connectionId, row)
  if (messageId !== null) await updateMessage(ctx, { messageId, connectionId })
  return { outcome: 'decided' }
}

/** The review of a draft, which is created for a draft that no message shows. Throws `not_found`. */
export async function lockOrCreateReview(
  ctx: TxContext,
  { connectionId, blockId }: Pick<Review, 'connectionId' | 'blockId'>,
): Promise<DraftReviewRow> {
  const { sql, now, actor } = ctx
  const stored = await lockReview(sql, actor.teamId, connectionId, blockId)
  if (stored) return stored
  const { title } = await getBlock(ctx, blockId)
  const draft = { drafts: [{ id: blockId, title }], messageId: null, at: now() }
  await insertReviews(sql, actor.teamId, connectionId, draft)
  const created = await lockReview(sql, actor.teamId, connectionId, blockId)
  if (!created) throw new Error('The review of a draft could not be stored.')
  return created
}

interface Decided {
  decision: Decision
  /** Null when it was in Tidings. */
  reviewer: Reviewer | null
}

/** A draft that waits for a decision, locked until the transaction ends; or the decision. Throws `not_found`. */
async function lockUndecided(
  ctx: TxContext,
  connectionId: string,
  { block_id: id, decision, decided_by, decided_by_name }: DraftReviewRow,
): Promise<Decided | { version: number; title: string }> {
  const block = await lockBlockVersion(ctx, { id, expected: null }).catch((error: unknown) => {
    // A block that was declined does not exist.
    const isDeclined = error instanceof AppError && error.code === 'not_found' && decision !== null
    if (isDeclined) return undefined
    throw error
  })
  if (block?.status === 'draft') {
    if (decision !== null) await clearDecisions(ctx.sql, ctx.actor.teamId, connectionId, [id])
    return { version: block.version, title: block.title }
  }
  const reviewer = decided_by === null ? null : { userId: decided_by, name: decided_by_name ?? '' }
  return { decision: decision ?? 'approved', reviewer }
}

/** The result for a person who comes after the decision. */
async function decidedBefore(
  ctx: Context,
  earlier: Decided,
  {
    decision,
    reviewer,
    review: { block_id: blockId, title },
  }: Pick<Review, 'decision' | 'reviewer'> & { review: DraftReviewRow },
): Promise<ReviewResult> {
  const isRepeated = earlier.reviewer?.userId === reviewer.userId && earlier.decision === decision
  if (isRepeated) return { outcome: 'decided' }
  return { outcome: 'decided_before', title: await titleIn(ctx, { blockId, title }), ...earlier }
}

/** The title of a draft; null for content from a private conversation. */
export const titleIn = async (
  ctx: Context,
  { blockId, title }: { blockId: string; title: string },
): Promise<string | null> => ((await isFromPrivate(ctx, { blockId })) ? null : title)

async function decline(
  ctx: QueueContext,
  { blockId, title }: { blockId: string; title: string },
): Promise<void> {
  await trashBlock(ctx, blockId)
  const senders = await listSenders(ctx, { blockId })
  const messages = senders.map(({ connectionId, userId }) => ({
    connectionId,
    kind: 'declined' as const,
    recipient: userId,
    subject: blockId,
    data: { title },
  }))
  await sendMessages(ctx, messages)
}
