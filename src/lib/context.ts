import type { Now } from './clock.ts'
import { type Sql, type Tx, transaction } from './database/db.ts'

/** An API key, of a program or of a connection. */
interface KeyActor {
  kind: 'key'
  teamId: string
  keyId: string
  name: string
}

/** Who reads or changes a team's data. `name` is shown in the audit log. */
export type Actor =
  | KeyActor
  | {
      kind: 'member'
      teamId: string
      memberId: string
      name: string
      /** The client's network address; null when it is not known. */
      address: string | null
    }
  /** The command line, or the service itself. */
  | { kind: 'system'; teamId: string; name: string }

/**
 * What a feature function works with: the database or the open transaction, the clock and the
 * actor. The API, the console and the webhooks create it once per request.
 */
export interface Context {
  sql: Sql | Tx
  now: Now
  actor: Actor
}

/** What a function that only reads data of a team needs; every `Context` is one. */
export interface ReadContext {
  sql: Sql | Tx
  actor: { teamId: string }
}

/** A context whose actor is an API key. */
export type KeyContext = Context & { actor: KeyActor }

/** A context that knows how people reach the service, without a slash at the end: for links. */
export type LinkContext = Context & { baseUrl: string }

/** A context without an actor, for work before a team is known or for all teams. */
export type ServiceContext = Omit<Context, 'actor'>

/** The id of the member who acts; null for a key or the service. */
export const memberIdOf = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.kind === 'member' ? actor.memberId : null

/** A context inside an open transaction. */
export type TxContext<Base extends ServiceContext = Context> = Base & { sql: Tx }

/**
 * Runs `work` in one transaction, as `transaction` does: a change and its audit log entry are stored
 * together or not at all.
 */
export async function inTransaction<Base extends ServiceContext, Result>(
  ctx: Base,
  work: (ctx: TxContext<Base>) => Promise<Result>,
): Promise<Result> {
  return await transaction(ctx.sql, (tx) => work({ ...ctx, sql: tx }))
}

/** A context whose actor is an API key, named `name` in the audit log. */
export const keyContext = <Base extends ServiceContext>(
  base: Base,
  { teamId, keyId, name }: Omit<KeyActor, 'kind'>,
): Base & KeyContext => ({ ...base, actor: { kind: 'key', teamId, keyId, name } })

/** The name of the command line in the audit log. */
export const commandLine = 'The command line'

/** A context whose actor is the command line or the service itself, named `name` in the audit log. */
export const systemContext = <Base extends ServiceContext>(
  base: Base,
  teamId: string,
  name = 'Tidings',
): Base & Context => ({ ...base, actor: { kind: 'system', teamId, name } })
