import * as v from 'valibot'
import { line } from '../../contract/text.ts'
import { type Scope, scopes } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import type { Sql, Tx } from '../../lib/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { insertKey, type KeyRow, revokeKeyRow, selectKeys } from './sql.ts'
import { hashToken, newToken, startOf } from './token.ts'

const dayPattern = /^\d{4}-\d{2}-\d{2}$/

/** What a person chooses when making a key. */
export const NewKey = v.object({
  name: line(100),
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
  if (at <= now()) throw invalidField('/expires', 'expires must lie in the future')
  return at
}

/** Makes a key of a team. `token` is the value: shown once, never stored. */
export async function createKey(
  sql: Sql | Tx,
  now: Now,
  teamId: string,
  input: v.InferOutput<typeof NewKey>,
): Promise<{ id: string; start: string; token: string }> {
  requireWriteForNarrowing(input.scopes, input.ingest_only)
  const token = newToken()
  const createdAt = now()
  const key = { id: newId('key', createdAt), start: startOf(token) }
  await insertKey(sql, {
    ...input,
    ...key,
    team_id: teamId,
    hash: hashToken(token),
    created_at: createdAt,
  })
  return { ...key, token }
}

function requireWriteForNarrowing(granted: readonly Scope[], ingestOnly: boolean): void {
  if (ingestOnly && (granted.length !== 1 || granted[0] !== 'write')) {
    throw invalidField('/scopes', 'an ingest-only key has the scope write and no other')
  }
}

/** A team's keys, newest first, without their values. */
export async function listKeys(sql: Sql, teamId: string): Promise<Key[]> {
  return await selectKeys(sql, teamId)
}

/**
 * Revokes a key of a team, named by its id or its start, and gives its id. Final when it returns:
 * writes under way with the key have ended or will fail. Throws `not_found`, and `validation_failed`
 * when a start fits several keys.
 */
export async function revokeKey(sql: Sql | Tx, teamId: string, idOrStart: string): Promise<string> {
  const wanted = idOrStart.replace(/…$/, '')
  const found = (await selectKeys(sql, teamId)).filter(
    ({ id, start }) => id === wanted || start === wanted,
  )
  const [key, second] = found
  if (!key) throw notFound(`The key "${wanted}"`)
  if (second) throw invalidField('/key', `several keys start with ${wanted}; name one by its id`)
  await revokeKeyRow(sql, teamId, key.id)
  return key.id
}
