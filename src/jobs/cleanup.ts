import type { Logger } from 'pino'
import { purgeExpiredEmails } from '../features/account-emails/index.ts'
import { purgeAiUsage } from '../features/ai-drafts/index.ts'
import { purgeAuditLog } from '../features/audit-log/index.ts'
import { purgeComments } from '../features/block-comments/index.ts'
import { purgeCapturedEmails } from '../features/captured-emails/index.ts'
import { purgeChatHomes } from '../features/chat-homes/index.ts'
import { purgeChatMessages } from '../features/chat-messages/index.ts'
import { purgeTrash } from '../features/content-blocks/index.ts'
import { purgeContributors } from '../features/contributors/index.ts'
import { purgeConversations } from '../features/conversations/index.ts'
import { purgeDeliveries } from '../features/deliveries/index.ts'
import { purgeDraftReviews } from '../features/draft-reviews/index.ts'
import { purgeEvents } from '../features/events/index.ts'
import { purgeFormDrafts } from '../features/form-drafts/index.ts'
import {
  purgeFormSubmissions,
  purgeSignedOutSubmissions,
} from '../features/form-submissions/index.ts'
import { purgeIdempotencyKeys, purgeIdempotencyLocks } from '../features/idempotency/index.ts'
import { type ImageStorage, purgeImages } from '../features/images/index.ts'
import { purgeLoginAttempts } from '../features/login-throttle/index.ts'
import { purgeInvitations } from '../features/members/index.ts'
import { purgePlannedDates } from '../features/newsletter-schedules/index.ts'
import { purgeNotificationEmails } from '../features/notifications/index.ts'
import { purgeOneTimeTokens } from '../features/one-time-tokens/index.ts'
import { purgePolledEntries } from '../features/polling/index.ts'
import { purgePreviewLinks, purgePreviews } from '../features/previews/index.ts'
import { purgePrompts } from '../features/prompts/index.ts'
import { purgeItemState } from '../features/provider-updates/index.ts'
import { purgeReceipts } from '../features/receipts/index.ts'
import { purgeEndedSessions } from '../features/sessions/index.ts'
import { purgeSetupLinks } from '../features/setup/index.ts'
import { purgeVersions } from '../features/versions/index.ts'
import type { ServiceContext } from '../lib/context.ts'
import { databaseTime } from '../lib/database/database-time.ts'
import type { Sql } from '../lib/database/db.ts'
import type { JobQueue } from '../lib/queue/index.ts'

interface CleanupContext extends ServiceContext {
  sql: Sql
  /** The files of images. */
  storage: ImageStorage
}

interface CleanupJob {
  name: string
  /** The tables from which it deletes rows. */
  tables: readonly string[]
  run(ctx: CleanupContext): Promise<unknown>
}

/** All jobs that delete data after its retention period; docs/operating.md lists the periods. */
export const cleanupJobs: readonly CleanupJob[] = [
  {
    name: 'account-emails',
    tables: ['account_emails', 'account_changes'],
    run: purgeExpiredEmails,
  },
  { name: 'ai-usage', tables: ['ai_usage'], run: purgeAiUsage },
  { name: 'audit-log', tables: ['audit_log'], run: purgeAuditLog },
  { name: 'captured-emails', tables: ['captured_emails'], run: purgeCapturedEmails },
  { name: 'comments', tables: ['block_comments', 'block_assignments'], run: purgeComments },
  { name: 'chat-conversations', tables: ['chat_conversations'], run: purgeConversations },
  { name: 'chat-homes', tables: ['chat_homes'], run: purgeChatHomes },
  { name: 'chat-messages', tables: ['chat_messages'], run: purgeChatMessages },
  {
    name: 'contributors',
    tables: ['block_contributors', 'chat_people'],
    run: purgeContributors,
  },
  { name: 'deliveries', tables: ['deliveries'], run: purgeDeliveries },
  { name: 'draft-reviews', tables: ['draft_reviews'], run: purgeDraftReviews },
  { name: 'events', tables: ['events'], run: purgeEvents },
  { name: 'form-drafts', tables: ['form_drafts'], run: purgeFormDrafts },
  { name: 'form-submissions', tables: ['form_submissions'], run: purgeFormSubmissions },
  { name: 'idempotency-keys', tables: ['idempotency_keys'], run: purgeIdempotencyKeys },
  { name: 'idempotency-locks', tables: ['idempotency_locks'], run: purgeIdempotencyLocks },
  { name: 'images', tables: ['images'], run: purgeImages },
  { name: 'invitations', tables: ['invitations'], run: purgeInvitations },
  {
    name: 'item-state',
    tables: ['item_sync_state', 'rollups', 'rollup_items'],
    run: purgeItemState,
  },
  { name: 'login-attempts', tables: ['rate_limits'], run: purgeLoginAttempts },
  { name: 'one-time-tokens', tables: ['one_time_tokens'], run: purgeOneTimeTokens },
  {
    name: 'notification-emails',
    tables: ['notification_emails'],
    run: purgeNotificationEmails,
  },
  {
    name: 'planned-dates',
    tables: ['newsletter_slots', 'newsletter_reminders'],
    run: purgePlannedDates,
  },
  { name: 'polled-entries', tables: ['polled_entries'], run: purgePolledEntries },
  { name: 'preview-links', tables: ['preview_links'], run: purgePreviewLinks },
  {
    name: 'previews',
    tables: ['previews', 'preview_emails', 'preview_daily_usage'],
    run: purgePreviews,
  },
  { name: 'prompts', tables: ['prompts', 'prompt_replies'], run: purgePrompts },
  { name: 'receipts', tables: ['receipts'], run: purgeReceipts },
  { name: 'sessions', tables: ['sessions', 'account_tokens'], run: purgeEndedSessions },
  {
    name: 'signed-out-submissions',
    tables: ['signed_out_submissions'],
    run: purgeSignedOutSubmissions,
  },
  { name: 'setup-links', tables: ['setup_links'], run: purgeSetupLinks },
  { name: 'trash', tables: ['trashed_blocks'], run: purgeTrash },
  {
    name: 'versions',
    tables: ['block_versions', 'newsletter_versions'],
    run: purgeVersions,
  },
]

interface CleanupDeps extends Omit<CleanupContext, 'now'> {
  queue: JobQueue
  log: Logger
}

/**
 * Runs every cleanup job each night (UTC), in one of all processes. Each is a separate job, so that
 * a failure of one does not stop the others; the queue logs and retries it. The ages of rows are by the
 * clock of the database, so that a process with a wrong clock deletes nothing too early.
 */
export async function scheduleCleanup(deps: CleanupDeps): Promise<void> {
  const { queue, sql, log, storage } = deps
  await queue.unschedule('tidy')
  for (const [index, { name, run }] of cleanupJobs.entries()) {
    await queue.schedule(`purge-${name}`, `${17 + index} 3 * * *`, async () => {
      const at = await databaseTime(sql)
      await run({ sql, now: () => at, storage })
      log.info({ cleanup: name }, 'cleanup done')
    })
  }
}
