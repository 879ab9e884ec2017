import type { Context } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { newLinkToken } from '../../lib/ids.ts'
import { recordChangeByAdmin } from '../account-emails/index.ts'
import { recordAccountAudit } from '../accounts/index.ts'
import {
  type AuthDeps,
  type Client,
  type Cookies,
  endClientSession,
  headersOf,
  nullIfRefused,
} from './better-auth/better-auth.ts'
import { signInLinkIdentifier } from './better-auth/options.ts'
import { inAuthTransaction } from './better-auth/transaction.ts'

/** How long a link for sign-in works, in minutes. */
export const signInLinkMinutes = 15

/** Links with which an operator lets a member sign in when the identity provider does not work. */
export interface SignInLinks {
  /** The token of a link. The entry in the audit log of the actor's team names `subject`. */
  createSignInToken(
    ctx: Context,
    input: { accountId: string; email: string; subject: string },
  ): Promise<string>
  /** Starts a session, once per link, and changes nothing else of the account. Throws `not_found` for a link that was used or is too old. */
  signInWithToken(client: Client, token: string): Promise<Cookies>
}

/** Creates the functions for links for sign-in. */
export const createSignInLinks = (deps: AuthDeps): SignInLinks => ({
  createSignInToken: (ctx, input) => createSignInToken(deps, ctx, input),
  signInWithToken: (client, token) => signInWithToken(deps, client, token),
})

async function createSignInToken(
  { auth, emailQueue }: AuthDeps,
  ctx: Context,
  { accountId, email, subject }: { accountId: string; email: string; subject: string },
): Promise<string> {
  const { internalAdapter } = await (await auth()).$context
  const token = newLinkToken()
  const expiresAt = new Date(ctx.now().getTime() + signInLinkMinutes * 60_000)
  const identifier = signInLinkIdentifier(token)
  const value = JSON.stringify({ email })
  await inAuthTransaction({ ...ctx, emailQueue }, async (txCtx) => {
    await internalAdapter.createVerificationValue({ identifier, value, expiresAt })
    await recordChangeByAdmin(txCtx, { change: 'sign_in_link_made', accountId, subject })
  })
  return token
}

async function signInWithToken(deps: AuthDeps, client: Client, token: string): Promise<Cookies> {
  const { api } = await deps.auth()
  const headers = headersOf({ ...client, cookie: '' })
  const cookies = await inAuthTransaction(deps, async ({ sql, now }) => {
    const verified = await nullIfRefused(
      api.signInWithLink({ body: { token }, headers, returnHeaders: true }),
    )
    if (!verified) throw new AppError('not_found', 'This link was used or is too old.')
    const { accountId } = verified.response
    const ctx = { sql, now, accountId, address: client.address }
    await recordAccountAudit(ctx, 'signed_in_with_link')
    return deps.cookiesIn(verified.headers)
  })
  await endClientSession(deps, client)
  return cookies
}
