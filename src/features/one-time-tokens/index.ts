import type { Context, ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { hashLinkToken, newLinkToken } from '../../lib/ids.ts'
import {
  deleteToken,
  deleteTokensBefore,
  insertToken,
  selectToken,
  type TokenPurpose,
} from './sql.ts'

interface TokenKey {
  token: string
  purpose: TokenPurpose
}

/** Creates a token that works once, for `minutes`. It has 192 bits, and only its hash is stored. */
export async function createOneTimeToken(
  { sql, now, actor: { teamId } }: Context,
  {
    purpose,
    data,
    minutes,
  }: { purpose: TokenPurpose; data: Record<string, string>; minutes: number },
): Promise<string> {
  const token = newLinkToken()
  const row = {
    token_hash: hashLinkToken(token),
    team_id: teamId,
    purpose,
    data,
    expires_at: new Date(now().getTime() + minutes * 60_000),
  }
  await withDeadline(insertToken(sql, row))
  return token
}

/** The team and the data of a token that is not used up; undefined for one that is not valid. */
export async function findOneTimeToken(
  { sql, now }: ServiceContext,
  { token, purpose }: TokenKey,
): Promise<{ teamId: string; data: Record<string, string> } | undefined> {
  const key = { token_hash: hashLinkToken(token), purpose }
  const row = await withDeadline(selectToken(sql, key, now()))
  return row && { teamId: row.team_id, data: row.data }
}

/** Uses up a token of the team and returns its data; null for one that is not valid. */
export async function consumeOneTimeToken(
  { sql, now, actor: { teamId } }: Context,
  { token, purpose }: TokenKey,
): Promise<Record<string, string> | null> {
  const key = { team_id: teamId, token_hash: hashLinkToken(token), purpose }
  return (await withDeadline(deleteToken(sql, key, now()))) ?? null
}

/** Deletes tokens that have expired. */
export async function purgeOneTimeTokens({ sql, now }: ServiceContext): Promise<void> {
  await deleteTokensBefore(sql, now())
}
