import { inTransaction, type ServiceContext, type TxContext } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { AppError } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { type ChangeEmails, recordAccountChange } from '../../account-emails/index.ts'
import { type Account, createAccountWithoutPassword, findAccount } from '../../accounts/index.ts'
import { isMemberAddress, joinTeams, listMemberships } from '../../members/index.ts'
import type { Identity } from './identity.ts'
import type { IdentityProvider } from './provider.ts'
import { removeCredentials } from './remove-credentials.ts'
import { insertIdentity, lockIdentity, selectLinkedAccount, updateVerified } from './sql.ts'

/** A sign-in that failed. The message is for the person. */
export class SignInRefusedError extends AppError {
  /** The account that somebody tried to sign in to, if there is one. */
  readonly account: Account | undefined

  constructor(message: string, account?: Account) {
    super('insufficient_scope', message)
    this.name = 'SignInRefusedError'
    this.account = account
  }
}

interface IdentitySignIn {
  provider: IdentityProvider
  /** As in the tokens of the provider. */
  issuer: string
  identity: Identity
  /** The client's network address. */
  address: string
}

/**
 * The account of a person whom an identity provider has signed in. The first time it is found by the
 * verified email address, or created for a member who has none, and linked to the person; from then on
 * the link counts. The person joins the teams that have added the address. A password that somebody else can have
 * chosen, to wait for such a team, ends with its sessions and second factors. Throws `SignInRefusedError`, and
 * then nothing is stored.
 */
export async function findOrCreateAccount(
  ctx: ServiceContext & ChangeEmails,
  signIn: IdentitySignIn,
): Promise<Account> {
  return await inTransaction(ctx, async (txCtx) => {
    const { provider, identity, address } = signIn
    const linked = await selectLinkedAccount(txCtx.sql, provider.id, identity.id)
    const account = linked ?? (await linkAccount(txCtx, signIn))
    if (identity.emailVerified && identity.email === account.email) {
      const wasUnverified = await updateVerified(txCtx.sql, account.id, true)
      if (wasUnverified) await replaceCredentials(txCtx, account.id, signIn)
      await joinTeams(txCtx, { account, address })
    }
    const memberships = await listMemberships(txCtx.sql, account.id)
    if (memberships.length === 0) throw noMembership(account.email)
    return account
  })
}

async function replaceCredentials(
  ctx: TxContext<ServiceContext & ChangeEmails>,
  accountId: string,
  { provider, address }: IdentitySignIn,
): Promise<void> {
  await removeCredentials(ctx.sql, accountId)
  await recordAccountChange(
    { ...ctx, accountId, address },
    { change: 'credentials_replaced', detail: provider.name },
  )
}

async function linkAccount(
  ctx: TxContext<ServiceContext & ChangeEmails>,
  { provider, issuer, identity, address }: IdentitySignIn,
): Promise<Account> {
  const { sql, now } = ctx
  const { email, name } = identity
  if (email === null)
    throw new SignInRefusedError(`${provider.name} sends no email address of yours.`)
  const known = await findAccount(ctx, email)
  if (!identity.emailVerified) {
    const message = `${provider.name} has not verified your address ${email}. Verify it there, or ask whoever manages ${provider.name}.`
    throw new SignInRefusedError(message, known)
  }
  if (!(await isMemberAddress(sql, email))) throw noMembership(email)
  const account = known ?? (await createAccountWithoutPassword(ctx, { email, name: name ?? email }))
  const of = { providerId: provider.id, issuer }
  const owner = await withDeadline(lockIdentity(sql, account.id, of))
  // Another sign-in of the same person has just linked it.
  if (owner === identity.id) return account
  if (owner !== undefined) {
    // The address now belongs to somebody else at the provider, such as a successor.
    const message = `The account of ${email} belongs to another person at ${provider.name}. Ask whoever runs Tidings to remove that link.`
    throw new SignInRefusedError(message, account)
  }
  const at = now()
  await insertIdentity(sql, {
    id: newId('cr', at),
    account_id: account.id,
    created_at: at,
    updated_at: at,
    provider_id: provider.id,
    provider_account_id: identity.id,
  })
  // A new account is in no team yet, and its person has just created it.
  if (known) {
    const txCtx = { ...ctx, accountId: account.id, address }
    await recordAccountChange(txCtx, { change: 'identity_linked', detail: provider.name })
  }
  return account
}

const noMembership = (email: string) =>
  new SignInRefusedError(
    `${email} is not a member of a team. Ask an admin of your team to add this address.`,
  )
