import type { TestApp } from '../app.ts'
import { until } from '../until.ts'

type Database = Pick<TestApp, 'sql'>
interface TeamId {
  id: string
}

interface BlockRow {
  id: string
  title: string
  body: string
  block_type: string
  status: string
  author: string | null
}

interface ChatMessageRow {
  id: string
  recipient: string
  kind: string
  status: string
  reason: string | null
  attempts: number
}

/** The content blocks of a team, the oldest first. */
export const blocksOf = ({ sql }: Database, { id }: TeamId) => sql<BlockRow[]>`
  select id, title, body, block_type, status, author from content_blocks where team_id = ${id} order by id`

/** The content blocks of a team, once there are so many and no delivery waits: contributors are stored after their blocks. */
export const settledBlocksOf = (app: Database, team: TeamId, count: number) =>
  until(async () => {
    const waiting = await app.sql`
      select 1 from deliveries where team_id = ${team.id} and status = 'waiting'`
    const blocks = await blocksOf(app, team)
    return waiting.length === 0 && blocks.length === count && blocks
  })

/** The chat messages of a team. */
export const chatMessagesOf = ({ sql }: Database, { id }: TeamId) => sql<ChatMessageRow[]>`
  select id, recipient, kind, status, reason, attempts from chat_messages where team_id = ${id}
  order by recipient, kind`

/** The chat messages of a team, once there are so many and none of them is to be sent. */
export const settledChatMessagesOf = (app: Database, team: TeamId, count: number) =>
  until(async () => {
    const messages = await chatMessagesOf(app, team)
    const isSettled = messages.every(({ status }) => !['waiting', 'sending'].includes(status))
    return messages.length === count && isSettled && messages
  })

/** Starts the jobs of a team that wait for their next attempt. */
export const retryJobsOf = ({ sql }: Database, { id }: TeamId) =>
  sql`update pgboss.job set start_after = now() where state = 'retry' and data->>'teamId' = ${id}`

/** Starts the jobs of a team that wait for their next attempt, until its first chat message has a status. */
export const retryUntil = (app: Database, team: TeamId, status: string) =>
  until(async () => {
    await retryJobsOf(app, team)
    return (await chatMessagesOf(app, team))[0]?.status === status
  })
