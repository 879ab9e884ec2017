import type { MessagingOptions } from '../../../integrations/kit/chat/messages/messaging.ts'
import {
  type DecryptedConnection,
  listDecryptedConnections,
  readSettings,
} from '../../features/connections/index.ts'
import { notifyContributors } from '../../features/contributors/index.ts'
import { postNewDrafts, updateReviewedDrafts } from '../../features/draft-reviews/index.ts'
import { askForNews, remindContributors } from '../../features/prompts/index.ts'
import { dayMs, localTime } from '../../lib/clock.ts'
import { systemContext } from '../../lib/context.ts'
import { refreshHomes } from './homes.ts'
import type { MessagingDeps } from './message-context.ts'

/** “Mark as sent” can be undone for ten minutes, so nobody is notified of it earlier. */
const undoMs = 10 * 60_000
/** Nobody is notified of a newsletter that was sent earlier than this, such as before a long outage. */
const newsMs = dayMs
const digestHour = 9

/**
 * Stores the messages that are due: to contributors, to the channels in which drafts are reviewed, and to those
 * that are asked for news. It can run at any time and in several processes: each message is stored once.
 */
export async function planMessages(deps: MessagingDeps): Promise<void> {
  const chats = [...deps.adapters.values()].filter(({ messaging }) => messaging !== undefined)
  const slugs = chats.map(({ slug }) => slug)
  for (const connection of await listDecryptedConnections(deps, slugs)) {
    const chat = chatOf(deps, connection)
    if (chat === null || connection.isDisconnected) continue
    try {
      await planForConnection(deps, connection, chat)
      await refreshHomes(deps, connection)
    } catch (error) {
      // Other connections do not wait for this one, which is tried again a minute later.
      deps.log.error({ connection: connection.id, err: error }, 'messages were not planned')
    }
  }
}

/** Plans messages every minute, in one of all processes. */
export async function schedulePlanning(deps: MessagingDeps): Promise<void> {
  const plan = () => planMessages(deps)
  await deps.queue.schedule('plan-chat-messages', '* * * * *', plan, { deleteAfterSeconds: 3_600 })
}

/** What a connection sends, and how much fits into a message of its chat. */
type Chat = MessagingOptions & { draftsPerMessage: number }

/** Null for a connection whose settings do not allow messages. */
function chatOf({ adapters }: MessagingDeps, connection: DecryptedConnection): Chat | null {
  const adapter = adapters.get(connection.adapter)
  if (!adapter?.messaging) return null
  const settings = readSettings(connection, adapter.settings)
  const options = settings && adapter.messaging.options(settings)
  const { draftsPerMessage } = adapter.messaging
  return options ? { ...options, draftsPerMessage } : null
}

async function planForConnection(
  { sql, now, queue }: MessagingDeps,
  { id: connectionId, teamId }: DecryptedConnection,
  { notifiesContributors, reviewChannel, reviewDigest, timeZone, draftsPerMessage }: Chat,
): Promise<void> {
  const ctx = systemContext({ sql, now, queue }, teamId)
  const at = now()
  if (notifiesContributors) {
    const [from, until] = [new Date(at.getTime() - newsMs), new Date(at.getTime() - undoMs)]
    await notifyContributors(ctx, { connectionId, from, until })
    await remindContributors(ctx, { connectionId })
  }
  await askForNews(ctx, { connectionId })
  if (reviewChannel === null) return
  await updateReviewedDrafts(ctx, { connectionId })
  const period = periodOf(reviewDigest, timeZone, at)
  if (!period) return
  const digest = { connectionId, channel: reviewChannel, draftsPerMessage }
  await postNewDrafts(ctx, { ...digest, ...period })
}

/** The period whose drafts are due, and its end; undefined before the daily digest. */
function periodOf(
  digest: MessagingOptions['reviewDigest'],
  timeZone: string,
  at: Date,
): { period: string; until: Date } | undefined {
  const { day, hour, minute } = localTime(at, timeZone)
  const minutesAgo = (minutes: number) => new Date(at.getTime() - minutes * 60_000)
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
  switch (digest) {
    case 'immediately':
      return { period: `${day} ${time}`, until: at }
    case 'hourly':
      return { period: `${day} ${time.slice(0, 2)}h`, until: minutesAgo(minute) }
    case 'daily':
      if (hour < digestHour) return undefined
      return { period: day, until: minutesAgo((hour - digestHour) * 60 + minute) }
  }
}
