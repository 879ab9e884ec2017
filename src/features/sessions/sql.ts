import type { Sql, Tx } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'

/** Ends every session of an account. */
export async function deleteSessions(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId}`
}

/** An open session, as its owner sees it. */
export interface OpenSession {
  id: string
  /** The network address from which it was started. */
  ip_address: string | null
  user_agent: string | null
  created_at: Date
  /** When it was last renewed; see `renewSeconds`. */
  updated_at: Date
}

/** The sessions of an account that end after `at`, the last used first. */
export async function selectSessions(
  sql: Sql | Tx,
  accountId: string,
  at: Date,
  limit: number,
): Promise<OpenSession[]> {
  return await sql<OpenSession[]>`
    select id, ip_address, user_agent, created_at, updated_at from sessions
    where account_id = ${accountId} and expires_at > ${at}
    order by updated_at desc, id desc limit ${limit}`
}

/** Ends one session of an account; undefined when it has no such session. */
export async function deleteSession(
  sql: Sql | Tx,
  accountId: string,
  id: string,
): Promise<OpenSession | undefined> {
  const [ended] = await sql<OpenSession[]>`
    delete from sessions where account_id = ${accountId} and id = ${id}
    returning id, ip_address, user_agent, created_at, updated_at`
  return ended
}

/** Ends every session of an account except one. */
export async function deleteOtherSessions(
  sql: Sql | Tx,
  accountId: string,
  exceptId: string,
): Promise<void> {
  await sql`delete from sessions where account_id = ${accountId} and id <> ${exceptId}`
}

/** Ends the session with this token. */
export async function deleteSessionWithToken(tx: Tx, token: string): Promise<void> {
  await tx`delete from sessions where token = ${token}`
}

/** A query for the password of the account with this address, given in lower case. */
const passwordOf = (sql: Sql | Tx, email: string) => sql<{ password: string }[]>`
  select c.password from accounts a join credentials c on c.account_id = a.id
  where a.email = ${email} and c.provider_id = 'credential'`

/** The hash of the password of the account with this address, given in lower case; undefined without one. */
export async function selectPasswordHash(
  sql: Sql | Tx,
  email: string,
): Promise<string | undefined> {
  const [row] = await passwordOf(sql, email)
  return row?.password
}

/** The same hash, which nobody changes before the transaction ends. */
export async function lockPasswordHash(tx: Tx, email: string): Promise<string | undefined> {
  const [row] = await tx<{ password: string }[]>`${passwordOf(tx, email)} for share of c`
  return row?.password
}

/** Stores the team that a session shows. */
export async function updateSessionTeam(
  sql: Sql | Tx,
  sessionId: string,
  teamId: string,
): Promise<void> {
  await sql`update sessions set team_id = ${teamId} where id = ${sessionId}`
}

/** Ends every link for a new password of an account, and every sign-in that waits for its second factor. */
export async function deleteTokens(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`delete from account_tokens where value = ${accountId}`
}

/**
 * The prefix of the ids of links for a new password. Identifiers are hashed, and sign-ins that wait for their second
 * factor have the same value.
 */
export const resetLinkPrefix = 'rl'

/** Ends every link for a new password of an account. */
export async function deleteResetLinks(tx: Tx, accountId: string): Promise<void> {
  await tx`
    delete from account_tokens
    where value = ${accountId} and starts_with(id, ${`${resetLinkPrefix}_`})`
}

/** Deletes the sessions and the links for a new password that ended before `at`. */
export async function deleteEnded(sql: Sql | Tx, at: Date): Promise<void> {
  await deleteInSlices(sql, 'sessions', sql`expires_at < ${at}`)
  await deleteInSlices(sql, 'account_tokens', sql`expires_at < ${at}`)
}

/** The second factors of an account. */
export interface SecondFactors {
  /** An authenticator app is set up. */
  hasAuthenticator: boolean
  passkeys: readonly Passkey[]
  /** Whether the account has a password. */
  hasPassword: boolean
}

/** A passkey, as its owner sees it. */
export interface Passkey {
  id: string
  name: string | null
  created_at: Date
}

/** The second factors of an account. */
export async function selectSecondFactors(
  sql: Sql | Tx,
  accountId: string,
): Promise<SecondFactors> {
  const passkeys = await sql<Passkey[]>`
    select id, name, created_at from passkeys where account_id = ${accountId} order by id limit 50`
  const [row] = await sql<[Omit<SecondFactors, 'passkeys'>]>`
    select
      exists (select from two_factors where account_id = ${accountId} and verified)
        as "hasAuthenticator",
      exists (
        select from credentials where account_id = ${accountId} and provider_id = 'credential'
      ) as "hasPassword"`
  return { ...row, passkeys }
}

/** The encrypted secret of an authenticator app that is not confirmed yet. */
export async function selectPendingSecret(
  sql: Sql | Tx,
  accountId: string,
): Promise<string | undefined> {
  const [row] = await sql<{ secret: string }[]>`
    select secret from two_factors where account_id = ${accountId} and not verified`
  return row?.secret
}

/** Replaces the secret of an authenticator app that is not confirmed yet; the backup codes stay. */
export async function updatePendingSecret(
  sql: Sql | Tx,
  accountId: string,
  secret: string,
): Promise<void> {
  await sql`
    update two_factors set secret = ${secret} where account_id = ${accountId} and not verified`
}

/** Removes the authenticator app of an account; its backup codes stay. */
export async function unverifyAuthenticator(tx: Tx, accountId: string): Promise<void> {
  await tx`update two_factors set verified = false where account_id = ${accountId}`
}

/** Deletes a passkey of an account; undefined when it has no such passkey. */
export async function deletePasskey(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<Passkey | undefined> {
  const [row] = await tx<Passkey[]>`
    delete from passkeys where account_id = ${accountId} and id = ${id}
    returning id, name, created_at`
  return row
}

/** Deletes all second factors of an account. */
export async function deleteSecondFactors(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from two_factors where account_id = ${accountId}`
  await tx`delete from passkeys where account_id = ${accountId}`
}

/** Stores whether the account has a second factor. Returns that, and whether it has changed. */
export async function updateTwoFactorEnabled(
  tx: Tx,
  accountId: string,
): Promise<{ enabled: boolean; changed: boolean }> {
  const [row] = await tx<[{ enabled: boolean; changed: boolean }]>`
    with wanted as (
      select exists (select from two_factors where account_id = ${accountId} and verified)
        or exists (select from passkeys where account_id = ${accountId}) as enabled
    ), earlier as (
      select id, two_factor_enabled from accounts where id = ${accountId} for update
    )
    update accounts a set two_factor_enabled = wanted.enabled from wanted, earlier
    where a.id = earlier.id
    returning a.two_factor_enabled as enabled,
      a.two_factor_enabled <> earlier.two_factor_enabled as changed`
  if (!row.enabled) await tx`delete from two_factors where account_id = ${accountId}`
  return row
}

/** Which of these accounts have a second factor. */
export async function selectWithSecondFactor(
  sql: Sql | Tx,
  accountIds: readonly string[],
): Promise<{ id: string }[]> {
  return await sql<{ id: string }[]>`
    select id from accounts where id = any(${[...accountIds]}) and two_factor_enabled`
}

/**
 * Those of these sessions and teams whose session is open at `at` and whose person is a member of the team,
 * with a second factor where the team requires one. An identity provider checks second factors itself.
 */
export async function selectOpenAccess(
  sql: Sql | Tx,
  wanted: readonly { sessionId: string; teamId: string }[],
  at: Date,
): Promise<{ sessionId: string; teamId: string }[]> {
  return await sql<{ sessionId: string; teamId: string }[]>`
    select wanted.session_id as "sessionId", wanted.team_id as "teamId"
    from unnest(${wanted.map((one) => one.sessionId)}::text[],
      ${wanted.map((one) => one.teamId)}::text[]) as wanted (session_id, team_id)
      join sessions s on s.id = wanted.session_id and s.expires_at > ${at}
      join members m on m.team_id = wanted.team_id and m.account_id = s.account_id
        and m.removed_at is null
      join teams t on t.id = wanted.team_id
      join accounts a on a.id = s.account_id
    where not t.requires_second_factor or a.two_factor_enabled or s.identity_provider`
}
