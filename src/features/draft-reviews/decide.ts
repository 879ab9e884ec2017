import { type Context, inTransaction, type TxContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { type QueueContext, sendMessages, updateMessage } from '../chat-messages/index.ts'
import { getBlock, reviewBlocks, trashBlock } from '../content-blocks/index.ts'
import { isFromPrivate, listSenders } from '../contributors/index.ts'
import {
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
  | { outcome: 'in_newsletter'; reason: string }
  /** The block was deleted. */
  | { outcome: 'missing' }

/**
 * Approves or declines a draft for the member who is the actor. Of several decisions the first counts; a
 * repeated call returns the same result. A declined block moves to the trash, and only the people who
 * sent it hear of that. Messages that show the draft are updated.
 */
export async function decideDraft(
  ctx: Context & { queue: JobQueue },
  review: Review,
): Promise<ReviewResult> {
  try {
    return await inTransaction(ctx, (within) => decideOnce(within, review))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'not_found') return { outcome: 'missing' }
    if (error.code === 'block_in_use') return { outcome: 'in_newsletter', reason: error.message }
    throw error
  }
}

async function decideOnce(
  ctx: QueueContext,
  { connectionId, blockId, decision, reviewer }: Review,
): Promise<ReviewResult> {
  const { sql, now, actor } = ctx
  const review = await lockedReview(ctx, { connectionId, blockId })
  const earlier = await earlierDecision(ctx, review)
  if (earlier) {
    const isRepeated = earlier.reviewer?.userId === reviewer.userId && earlier.decision === decision
    if (isRepeated) return { outcome: 'decided' }
    const title = (await isFromPrivate(ctx, { blockId })) ? null : review.title
    return { outcome: 'decided_before', title, ...earlier }
  }
  if (decision === 'approved') {
    await reviewBlocks(ctx, { seen: [{ id: blockId, version: null }], status: 'ready' })
  } else await decline(ctx, { blockId, title: review.title })
  const decided = { decided_by: reviewer.userId, decided_by_name: reviewer.name, at: now() }
  const row = { block_id: blockId, decision, ...decided }
  await updateDecision(sql, actor.teamId, connectionId, row)
  if (review.message_id !== null) {
    await updateMessage(ctx, { messageId: review.message_id, connectionId })
  }
  return { outcome: 'decided' }
}

/** The review of a draft, which is created for a draft that no message shows. Throws `not_found`. */
export async function lockedReview(
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

/** The decision about a draft, in this chat or in Tidings; undefined while there is none. */
async function earlierDecision(
  ctx: TxContext,
  review: DraftReviewRow,
): Promise<{ decision: Decision; reviewer: Reviewer | null } | undefined> {
  const { decision, decided_by, decided_by_name } = review
  if (decision !== null) {
    const reviewer =
      decided_by === null ? null : { userId: decided_by, name: decided_by_name ?? '' }
    return { decision, reviewer }
  }
  const { status } = await getBlock(ctx, review.block_id)
  return status === 'draft' ? undefined : { decision: 'approved', reviewer: null }
}

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
