import * as v from 'valibot'
import { daysBefore } from '../../lib/clock.ts'
import {
  type Context,
  inTransaction,
  type ReadContext,
  type ServiceContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import type { JobQueue, JobType } from '../../lib/queue/index.ts'
import {
  type ChatHomeRow,
  deleteHomesBefore,
  replaceFingerprint,
  selectHomes,
  upsertHome,
} from './sql.ts'

/** Publishes the home of one person again: retried for a few minutes, because later changes follow. */
export const publishHomeJob: JobType = {
  name: 'publish-chat-home',
  heartbeatSeconds: 10,
  retryLimit: 6,
  retryDelay: 10,
  retryBackoff: true,
  retryDelayMax: 120,
  expireInSeconds: 60,
}

/** The data of a {@link publishHomeJob}. */
export const HomeJobData = v.object({
  teamId: v.string(),
  connectionId: v.string(),
  userId: v.string(),
})

const shownDays = 30
/** The homes of a connection that are kept up to date without being opened. */
const maxHomes = 100

/** Stores what the home of a person shows, who has just opened or used it. */
export async function saveHome(
  { sql, now, actor }: Context,
  { connectionId, ...home }: { connectionId: string } & Home,
): Promise<void> {
  const { userId: user_id, isEditor: is_editor, fingerprint } = home
  const row = { user_id, is_editor, fingerprint, openedAt: now() }
  await withDeadline(upsertHome(sql, actor.teamId, connectionId, row))
}

/** The home of a person in a chat. */
export interface Home {
  userId: string
  /** Whether it shows what editors see. */
  isEditor: boolean
  /** A hash of what it shows. */
  fingerprint: string
}

/** The homes of a connection that people have opened in the last 30 days, the latest 100. */
export async function listHomes(
  { sql, now, actor }: ReadContext & Pick<Context, 'now'>,
  { connectionId }: { connectionId: string },
): Promise<Home[]> {
  const slice = { since: daysBefore(now(), shownDays), limit: maxHomes }
  const rows = await withDeadline(selectHomes(sql, actor.teamId, connectionId, slice))
  return rows.map(toHome)
}

const toHome = ({ user_id: userId, is_editor: isEditor, fingerprint }: ChatHomeRow): Home => ({
  userId,
  isEditor,
  fingerprint,
})

/** Adds the job that publishes a home whose content has another hash now, once for all processes. */
export async function refreshHome(
  ctx: Context & { queue: JobQueue },
  { connectionId, userId, fingerprint, next }: HomeChange,
): Promise<void> {
  const { teamId } = ctx.actor
  await inTransaction(ctx, async (txCtx) => {
    const change = { user_id: userId, fingerprint, next }
    if (!(await replaceFingerprint(txCtx.sql, teamId, connectionId, change))) return
    const data = { teamId, connectionId, userId }
    await txCtx.queue.add(txCtx.sql, publishHomeJob, data, connectionId)
  })
}

interface HomeChange extends Pick<Home, 'userId' | 'fingerprint'> {
  connectionId: string
  /** The hash of the present content. */
  next: string
}

/** Deletes homes that were not opened for 30 days. */
export async function purgeChatHomes({ sql, now }: ServiceContext): Promise<void> {
  await deleteHomesBefore(sql, daysBefore(now(), shownDays))
}
