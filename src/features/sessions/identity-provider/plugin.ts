import { getOAuthState } from 'better-auth/api'
import { authorizationCodeRequest, getOAuth2Tokens } from 'better-auth/oauth2'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import * as v from 'valibot'
import type { ServiceContext } from '../../../lib/context.ts'
import type { ChangeEmails } from '../../account-emails/index.ts'
import { currentCallback } from './callback-state.ts'
import type { Connector } from './connector.ts'
import { fetchJson } from './fetch-json.ts'
import { findOrCreateAccount } from './find-or-create-account.ts'
import { readIdentity, Tokens } from './identity.ts'
import { callbackPath } from './provider.ts'

/** The endpoint of better-auth that completes a sign-in. */
export const callbackEndpoint = '/oauth2/callback/:providerId'

/**
 * better-auth's plugin for OAuth: state, PKCE and the session are its own. The requests to the provider,
 * the id token and the account are ours, because the plugin neither limits the time of a request nor
 * verifies a signature.
 */
export const identityProviderPlugin = (
  ctx: ServiceContext & ChangeEmails,
  connectors: readonly Connector[],
  baseUrl: string,
) => genericOAuth({ config: connectors.map((connector) => configOf(ctx, connector, baseUrl)) })

function configOf(
  ctx: ServiceContext & ChangeEmails,
  connector: Connector,
  baseUrl: string,
): GenericOAuthConfig {
  const { provider, metadata } = connector
  return {
    providerId: provider.id,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    redirectURI: `${baseUrl}${callbackPath(provider.id)}`,
    scopes: ['openid', 'email', 'profile'],
    pkce: true,
    disableSignUp: true,
    get issuer() {
      return metadata().issuer
    },
    get requireIssuerValidation() {
      return metadata().sendsIssuer
    },
    get authorizationUrl() {
      return metadata().authorizationUrl
    },
    get tokenUrl() {
      return metadata().tokenUrl
    },
    authorizationUrlParams: ({ body }) => ({ nonce: String(body?.additionalData?.nonce) }),
    async getToken({ code, codeVerifier = '' }) {
      try {
        return await exchangeCode(connector, { code, codeVerifier, baseUrl })
      } catch (failure) {
        const current = currentCallback()
        if (current) current.failure = failure
        throw failure
      }
    },
    async getUserInfo({ raw }) {
      const started = await getOAuthState()
      const identity = await readIdentity({
        provider,
        metadata: metadata(),
        now: ctx.now,
        tokens: v.parse(Tokens, raw),
        nonce: String(started?.['nonce']),
      })
      const current = currentCallback()
      if (!(started && current)) throw new Error('the callback has no state')
      const { issuer } = metadata()
      const { address } = current
      current.account = await findOrCreateAccount(ctx, { provider, issuer, identity, address })
      const { email, name } = current.account
      // `findOrCreateAccount` has stored whether the address is verified; better-auth must not.
      return { id: identity.id, email, name, emailVerified: false }
    },
  }
}

async function exchangeCode(
  { provider, metadata }: Connector,
  { code, codeVerifier, baseUrl }: { code: string; codeVerifier: string; baseUrl: string },
) {
  const { tokenUrl, authentication } = metadata()
  // Within the header, both are encoded (RFC 6749, section 2.3.1).
  const encode = authentication === 'basic' ? encodeURIComponent : (text: string) => text
  const redirectURI = `${baseUrl}${callbackPath(provider.id)}`
  const { body, headers } = await authorizationCodeRequest({
    code,
    codeVerifier,
    redirectURI,
    authentication,
    options: {
      clientId: encode(provider.clientId),
      clientSecret: encode(provider.clientSecret),
      redirectURI,
    },
  })
  const tokens = await fetchJson(tokenUrl, Tokens, { method: 'POST', body, headers })
  return getOAuth2Tokens(tokens)
}
