import { dayMs, daysBefore } from '../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type ReadContext,
  type ServiceContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { firstIdAt } from '../../lib/ids.ts'
import type { JobQueue } from '../../lib/queue/index.ts'
import { sendMessages, updateMessage } from '../chat-messages/index.ts'
import {
  clearDecisions,
  deleteReviewsBefore,
  insertReviews,
  type ReviewedDraftRow,
  selectDrafts,
  selectNewDrafts,
  selectReopened,
  selectReviewedDrafts,
  selectReviewedElsewhere,
  updateDecision,
} from './sql.ts'

const messagesPerPeriod = 5
/** Older drafts are not posted, so that a new connection does not post a whole library. */
const newDraftMs = 7 * dayMs

interface Digest {
  connectionId: string
  /** The id of the channel in the chat. */
  channel: string
  /** Identifies a minute, an hour or a day. It gets up to five messages, however often this is called. */
  period: string
  /** Drafts that were created later follow in the next period. */
  until: Date
  draftsPerMessage: number
}

/** Stores messages with the new drafts of a team for a channel. */
export async function postNewDrafts(
  ctx: Context & { queue: JobQueue },
  { connectionId, channel, period, until, draftsPerMessage: limit }: Digest,
): Promise<void> {
  const { teamId } = ctx.actor
  const from = firstIdAt('cb', new Date(until.getTime() - newDraftMs))
  const slice = { from, before: firstIdAt('cb', until), limit }
  await inTransaction(ctx, async (txCtx) => {
    const { sql, now } = txCtx
    for (let part = 1; part <= messagesPerPeriod; part++) {
      const drafts = await selectNewDrafts(sql, teamId, connectionId, slice)
      if (drafts.length === 0) return
      const subject = `${period} ${part}`
      const message = { connectionId, kind: 'review' as const, recipient: channel, subject }
      const [messageId] = await sendMessages(txCtx, [message])
      if (messageId === undefined) continue
      await insertReviews(sql, teamId, connectionId, { drafts, messageId, at: now() })
      // A decision of a moment ago stays; one before the block became a draft again does not.
      const ids = drafts.map(({ id }) => id)
      await clearDecisions(sql, teamId, connectionId, ids)
    }
  })
}

const perRun = 50

/**
 * Updates the messages with drafts that people have reviewed in Tidings, or made drafts again: 50 of each in one call.
 */
export async function updateReviewedDrafts(
  ctx: Context & { queue: JobQueue },
  { connectionId }: { connectionId: string },
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const { sql, now } = txCtx
    const rows = await selectReviewedElsewhere(sql, teamId, connectionId, perRun)
    for (const { block_id, exists } of rows) {
      const decision = exists ? ('approved' as const) : ('declined' as const)
      const row = { block_id, decision, decided_by: null, decided_by_name: null, at: now() }
      await updateDecision(sql, teamId, connectionId, row)
    }
    const ids = await selectReopened(sql, teamId, connectionId, perRun)
    const reopened = await clearDecisions(sql, teamId, connectionId, ids)
    const messages = new Set([...rows, ...reopened].flatMap(({ message_id }) => message_id ?? []))
    for (const messageId of messages) await updateMessage(txCtx, { messageId, connectionId })
  })
}

/** The drafts of a message, the oldest first. */
export async function listReviewedDrafts(
  { sql, actor }: ReadContext,
  { connectionId, messageId }: { connectionId: string; messageId: string },
): Promise<ReviewedDraftRow[]> {
  return await withDeadline(selectReviewedDrafts(sql, actor.teamId, connectionId, messageId))
}

const listedMs = 28 * dayMs
/** How many drafts {@link listDraftsToReview} lists at most. */
export const maxListedDrafts = 10

/** The ten oldest drafts of the last four weeks, without those that editors write in Tidings. */
export async function listDraftsToReview({
  sql,
  now,
  actor,
}: ReadContext & Pick<Context, 'now'>): Promise<ReviewedDraftRow[]> {
  const from = firstIdAt('cb', new Date(now().getTime() - listedMs))
  return await withDeadline(selectDrafts(sql, actor.teamId, { from, limit: maxListedDrafts }))
}

const retentionDays = 90

/** Deletes reviews after 90 days. */
export async function purgeDraftReviews({ sql, now }: ServiceContext): Promise<void> {
  const before = daysBefore(now(), retentionDays)
  await deleteReviewsBefore(sql, before)
}
