import * as v from 'valibot'
import { singleLineText } from '../../contract/text.ts'
import { type Scope, scopes } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import { type Context, inTransaction, type ReadContext, type TxContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import {
  insertKey,
  type KeyRow,
  lockAndCountActiveKeys,
  revokeKeyRow,
  selectKeyCreator,
  selectKeys,
  selectKeysNamed,
  updateAutoReady,
} from './sql.ts'
import { hashToken, newToken, prefixOf } from './token.ts'

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** The choices of the person who creates a key. */
export const NewKey = v.object({
  name: singleLineText(100),
  scopes: v.pipe(
    v.array(v.picklist(scopes, `scopes must be among ${scopes.join(', ')}`)),
    v.minLength(1, 'at least one scope is required'),
    v.transform((list) => scopes.filter((scope) => list.includes(scope))),
  ),
  ingest_only: v.optional(v.boolean(), false),
  allow_auto_ready: v.optional(v.boolean(), true),
  expires_at: v.optional(v.nullable(v.date()), null),
  provider: v.optional(v.nullable(v.string()), null),
})

export type Key = KeyRow

/**
 * The instant at which a key stops working. A date (`2027-01-31`) counts as that whole day in UTC, a
 * time as itself. Throws `validation_failed` for what is neither or lies in the past.
 */
export function parseExpiry(text: string, now: Now): Date {
  const day = dayPattern.test(text)
  const at = new Date(day ? `${text}T00:00:00Z` : text)
  if (Number.isNaN(at.getTime()) || (day && at.toISOString().slice(0, 10) !== text)) {
    throw invalidField('/expires', 'expires must be a date such as 2027-01-31')
  }
  if (day) at.setUTCDate(at.getUTCDate() + 1)
  if (at <= now()) throw invalidField('/expires', 'expires must be in the future')
  return at
}

/** A key that was just created. `token` is the key itself: shown once, never stored. */
export interface CreatedKey {
  id: string
  prefix: string
  token: string
}

/** Creates a key of the actor's team. Throws `validation_failed`. */
export async function createKey(
  ctx: Context,
  input: v.InferOutput<typeof NewKey>,
): Promise<CreatedKey> {
  return await inTransaction(ctx, async (txCtx) => {
    await recordAudit(txCtx, 'key_created', input.name)
    return await storeKey(txCtx, input)
  })
}

/** Creates the key of a connection; the audit log has an entry for the connection. */
export async function createConnectionKey(
  ctx: TxContext,
  input: v.InferOutput<typeof NewKey>,
): Promise<CreatedKey> {
  return await storeKey(ctx, input)
}

/** Stores a new key with these permissions; one that replaces another has the same first key. */
export async function storeKey(
  { sql, now, actor }: TxContext,
  input: v.InferOutput<typeof NewKey> & { first_key_id?: string },
): Promise<CreatedKey> {
  requireWriteForNarrowing(input.scopes, input.ingest_only)
  const token = newToken()
  const createdAt = now()
  const key = { id: newId('key', createdAt), prefix: prefixOf(token) }
  await insertKey(sql, {
    ...input,
    ...key,
    team_id: actor.teamId,
    token_hash: hashToken(token),
    created_by: actor.kind === 'member' ? actor.memberId : null,
    created_at: createdAt,
    first_key_id: input.first_key_id ?? null,
  })
  return { ...key, token }
}

function requireWriteForNarrowing(granted: readonly Scope[], ingestOnly: boolean): void {
  if (ingestOnly && (granted.length !== 1 || granted[0] !== 'write')) {
    throw invalidField('/scopes', 'an ingest-only key has the scope write and no other')
  }
}

/** A team's keys, newest first, without their values. */
export async function listKeys({ sql, actor }: ReadContext): Promise<Key[]> {
  return await selectKeys(sql, actor.teamId)
}

/** One key of a team by its id, without its value; undefined when the team has none. */
export async function findKey({ sql, actor }: ReadContext, id: string): Promise<Key | undefined> {
  const found = await withDeadline(selectKeysNamed(sql, actor.teamId, id))
  return found.find((key) => key.id === id)
}

/** The id of the member who created a key; null for a key of the command line. */
export async function findKeyCreator(
  { sql, actor }: ReadContext,
  keyId: string,
): Promise<string | null> {
  return await withDeadline(selectKeyCreator(sql, actor.teamId, keyId))
}

/**
 * Revokes a key of a team, named by its id or its prefix, and returns its id. Final when it returns:
 * writes under way with the key have ended or will fail. Throws `not_found`, and `validation_failed`
 * when a prefix fits several keys.
 */
export async function revokeKey(ctx: Context, idOrPrefix: string): Promise<string> {
  const { teamId } = ctx.actor
  const wanted = idOrPrefix.replace(/…$/, '')
  return await inTransaction(ctx, async (txCtx) => {
    const [key, second] = await selectKeysNamed(txCtx.sql, teamId, wanted)
    if (!key) throw notFound(`The key "${wanted}"`)
    if (second)
      throw invalidField('/key', `several keys start with ${wanted}; give the id of one of them`)
    await revokeKeyRow(txCtx.sql, teamId, key.id)
    await recordAudit(txCtx, 'key_revoked', key.name)
    return key.id
  })
}

/** Revokes the key of a connection; the audit log has an entry for the connection. */
export async function revokeConnectionKey({ sql, actor }: TxContext, keyId: string): Promise<void> {
  await revokeKeyRow(sql, actor.teamId, keyId)
}

/** The maximum number of active keys that the people of a team can create. */
export const maxActiveKeys = 100

/**
 * Creates a key as `createKey` does. Throws `validation_failed` when the team has 100 active keys.
 */
export async function createLimitedKey(
  ctx: Context,
  input: v.InferOutput<typeof NewKey>,
): Promise<CreatedKey> {
  return await inTransaction(ctx, async (txCtx) => {
    await requireBelowKeyLimit(txCtx)
    return await createKey(txCtx, input)
  })
}

/** Throws `validation_failed` when the team has as many active keys as it can have. */
export async function requireBelowKeyLimit({ sql, actor }: TxContext): Promise<void> {
  if ((await lockAndCountActiveKeys(sql, actor.teamId)) < maxActiveKeys) return
  throw invalidField(
    '/name',
    `a team can have ${maxActiveKeys} active keys; revoke one that is not needed`,
  )
}

/** Whether a key is active, revoked or expired at a time. */
export function keyState(
  key: Pick<KeyRow, 'revoked_at' | 'expires_at'>,
  at: Date,
): 'active' | 'revoked' | 'expired' {
  if (key.revoked_at) return 'revoked'
  return key.expires_at && key.expires_at <= at ? 'expired' : 'active'
}

/** Says whether a key may mark blocks ready by itself. */
export async function allowAutoReady(
  { sql, actor }: TxContext,
  { keyId, allowed }: { keyId: string; allowed: boolean },
): Promise<void> {
  await updateAutoReady(sql, actor.teamId, keyId, allowed)
}
