import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import * as v from 'valibot'
import { signInLinkIdentifier } from './options.ts'

const StoredValue = v.pipe(v.string(), v.parseJson(), v.object({ email: v.string() }))

/**
 * Starts a session with a link of `createSignInToken`. It changes nothing else: better-auth's own links take
 * the address as verified, and remove the password and the sessions of an account whose address was not.
 */
export const signInLinkPlugin = () => ({
  id: 'sign-in-link',
  endpoints: {
    signInWithLink: createAuthEndpoint(
      '/sign-in-link',
      { method: 'POST', body: v.object({ token: v.string() }), requireHeaders: true },
      async (endpoint) => {
        const { internalAdapter } = endpoint.context
        const identifier = signInLinkIdentifier(endpoint.body.token)
        const stored = await internalAdapter.consumeVerificationValue(identifier)
        if (!stored) throw notUsable()
        const { email } = v.parse(StoredValue, stored.value)
        const found = await internalAdapter.findUserByEmail(email)
        if (!found) throw notUsable()
        const session = await internalAdapter.createSession(found.user.id)
        await setSessionCookie(endpoint, { session, user: found.user })
        return { accountId: found.user.id }
      },
    ),
  },
})

const notUsable = () => new APIError('UNAUTHORIZED', { code: 'INVALID_TOKEN' })
