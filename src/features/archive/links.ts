import { type Context, inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import { newLinkToken } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  type ArchiveSettingsRow,
  selectArchiveSettings,
  updateArchiveToken,
  updateFeedToken,
} from './sql.ts'

/** The archive of the actor's team as its settings show it. Throws `not_found`. */
export async function getArchiveSettings({ sql, actor }: Context): Promise<ArchiveSettingsRow> {
  const row = await withDeadline(selectArchiveSettings(sql, actor.teamId))
  if (!row) throw notFound('The team')
  return row
}

/**
 * Replaces the link of the archive. The earlier link stops working, also where it is in emails. Throws
 * `not_found` while the archive is off.
 */
export async function replaceArchiveLink(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const isChanged = await updateArchiveToken(txCtx.sql, txCtx.actor.teamId, newLinkToken())
    if (!isChanged) throw notFound('The archive')
    await recordAudit(txCtx, 'archive_link_replaced')
  })
}

/**
 * Creates the link of the feed of the archive; an earlier link stops working. Throws `not_found` while
 * the archive is off.
 */
export async function createFeedLink(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const isChanged = await updateFeedToken(txCtx.sql, txCtx.actor.teamId, newLinkToken())
    if (!isChanged) throw notFound('The archive')
    await recordAudit(txCtx, 'archive_feed_created')
  })
}

/** Deletes the link of the feed, which stops working. Throws `not_found` while the archive is off. */
export async function deleteFeedLink(ctx: Context): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const isChanged = await updateFeedToken(txCtx.sql, txCtx.actor.teamId, null)
    if (!isChanged) throw notFound('The archive')
    await recordAudit(txCtx, 'archive_feed_deleted')
  })
}
