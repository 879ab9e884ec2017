import type { Sql, Tx } from '../../../lib/database/db.ts'
import type { Account } from '../../accounts/index.ts'

/** The account of a person of an identity provider. */
export async function selectLinkedAccount(
  sql: Sql | Tx,
  providerId: string,
  identityId: string,
): Promise<Account | undefined> {
  const [row] = await sql<Account[]>`
    select a.id, a.email, a.name from credentials c join accounts a on a.id = c.account_id
    where c.provider_id = ${providerId} and c.provider_account_id = ${identityId}`
  return row
}

/** Locks an account, and returns the person of this issuer to whom it belongs, if there is one. */
export async function lockIdentity(
  tx: Tx,
  accountId: string,
  { providerId, issuer }: { providerId: string; issuer: string },
): Promise<string | undefined> {
  await tx`select from accounts where id = ${accountId} for update`
  const [row] = await tx<{ provider_account_id: string }[]>`
    select provider_account_id from credentials
    where account_id = ${accountId} and provider_id = ${providerId}
      and starts_with(provider_account_id, ${`${issuer} `})`
  return row?.provider_account_id
}

/** Links an account to a person of an identity provider. */
export async function insertIdentity(
  tx: Tx,
  identity: {
    id: string
    account_id: string
    provider_id: string
    provider_account_id: string
    created_at: Date
    updated_at: Date
  },
): Promise<void> {
  await tx`insert into credentials ${tx(identity)}`
}

/**
 * Stores whether the person with the address of an account is known to have chosen its password. Returns false when
 * that was stored before.
 */
export async function updateVerified(
  tx: Tx,
  accountId: string,
  isVerified: boolean,
): Promise<boolean> {
  const rows = await tx`
    update accounts set email_verified = ${isVerified}
    where id = ${accountId} and email_verified <> ${isVerified} returning id`
  return rows.length > 0
}

/** Deletes the password of an account. */
export async function deletePassword(tx: Tx, accountId: string): Promise<void> {
  await tx`
    delete from credentials where account_id = ${accountId} and provider_id = 'credential'`
}

/** Deletes the links of an account to identity providers; returns how many there were. */
export async function deleteIdentities(tx: Tx, accountId: string): Promise<number> {
  const rows = await tx`
    delete from credentials where account_id = ${accountId} and provider_id <> 'credential'
    returning id`
  return rows.length
}
