import * as v from 'valibot'
import { type Sql, type Tx, withDeadline } from './db.ts'

const channel = 'tidings_changes'

const id = v.pipe(v.string(), v.maxLength(64))

/**
 * A message between the processes of an installation. It contains ids only: no names, no texts, nothing
 * that a reader of the channel could use.
 */
const ChangeMessage = v.variant('topic', [
  /** A newsletter has this version now; `by` is the member who changed it, null for a program. */
  v.object({
    topic: v.literal('newsletter'),
    team: id,
    newsletter: id,
    version: v.number(),
    by: v.nullable(id),
  }),
  /** Blocks were changed, deleted or restored. */
  v.object({ topic: v.literal('blocks'), team: id, blocks: v.array(id), by: v.nullable(id) }),
  /** An attempt to post a newsletter to a chat has ended, or one to send a preview of it has failed, or succeeded later. */
  v.object({ topic: v.literal('posts'), team: id, newsletter: id }),
  /** The members who have a newsletter open in one process. With `ask`, other processes say theirs. */
  v.object({
    topic: v.literal('viewers'),
    team: id,
    newsletter: id,
    process: id,
    members: v.array(id),
    ask: v.boolean(),
  }),
  /** A session ended, or the access of a member changed. */
  v.object({ topic: v.literal('access') }),
])
export type ChangeMessage = v.InferOutput<typeof ChangeMessage>

/** Sends a message to all processes; in a transaction, when it is committed. */
export async function sendChange(sql: Sql | Tx, change: ChangeMessage): Promise<void> {
  await sql`select pg_notify(${channel}, ${JSON.stringify(change)})`
}

/** Sends a change that is already stored. Errors are ignored, because pages show it when they are loaded again. */
export async function sendStoredChange(sql: Sql, change: ChangeMessage): Promise<void> {
  await withDeadline(sendChange(sql, change)).catch(() => {})
}

/**
 * Calls `onChange` for each message, over a connection of its own that is opened again when it is lost.
 * `onConnect` is called each time it is open, because messages in between were missed.
 */
export async function listenForChanges(
  sql: Sql,
  { onChange, onConnect }: { onChange(change: ChangeMessage): void; onConnect(): void },
): Promise<void> {
  await sql.listen(
    channel,
    (text) => {
      const change = v.safeParse(v.pipe(v.string(), v.parseJson(), ChangeMessage), text)
      if (change.success) onChange(change.output)
    },
    onConnect,
  )
}
