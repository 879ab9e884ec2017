import { AsyncLocalStorage } from 'node:async_hooks'
import { getOAuthState } from 'better-auth/api'
import { authorizationCodeRequest, getOAuth2Tokens } from 'better-auth/oauth2'
import { type GenericOAuthConfig, genericOAuth } from 'better-auth/plugins/generic-oauth'
import * as v from 'valibot'
import type { ServiceContext } from '../../../lib/context.ts'
import type { Account } from '../../accounts/index.ts'
import { admit } from './admit.ts'
import { createDiscovery, type ProviderMetadata } from './discovery.ts'
import { fetchJson, ProviderFailure } from './fetch-json.ts'
import { readIdentity, Tokens } from './identity.ts'
import { callbackPath, type IdentityProvider } from './provider.ts'

/** The endpoint of better-auth that completes a sign-in. */
export const callbackEndpoint = '/oauth2/callback/:providerId'

/** A configured provider, with what it says about itself. */
export interface Connector {
  provider: IdentityProvider
  /** Reads the metadata of the provider unless they are known. Throws `ProviderFailure`. */
  discover(): Promise<ProviderMetadata>
  /** The metadata that were read last. */
  metadata(): ProviderMetadata
}

/** Creates a connector; sends no request. */
export function createConnector(provider: IdentityProvider, { now }: ServiceContext): Connector {
  const discovery = createDiscovery(provider, now)
  let last: ProviderMetadata | undefined
  return {
    provider,
    async discover() {
      last = await discovery()
      return last
    },
    metadata() {
      if (!last) throw new ProviderFailure('it has not been asked yet')
      return last
    },
  }
}

/** What better-auth does not pass to the functions of a provider. */
interface CallbackState {
  address: string
  account?: Account
  /** Why the code could not be exchanged: better-auth catches errors of `getToken`. */
  failure?: unknown
}

const state = new AsyncLocalStorage<CallbackState>()

/**
 * Runs a callback of better-auth for a client with this address. Returns its response and the account of
 * the person. Throws `SignInRefused` and `ProviderFailure`.
 */
export async function withCallbackState(
  address: string,
  work: () => Promise<Response>,
): Promise<{ response: Response; account: Account | undefined }> {
  const current: CallbackState = { address }
  const response = await state.run(current, work)
  if (current.failure !== undefined) throw current.failure
  return { response, account: current.account }
}

/**
 * better-auth's plugin for OAuth: state, PKCE and the session are its own. The requests to the provider,
 * the id token and the account are ours, because the plugin neither limits the time of a request nor
 * verifies a signature.
 */
export const identityProviderPlugin = (
  ctx: ServiceContext,
  connectors: readonly Connector[],
  baseUrl: string,
) => genericOAuth({ config: connectors.map((connector) => configOf(ctx, connector, baseUrl)) })

function configOf(ctx: ServiceContext, connector: Connector, baseUrl: string): GenericOAuthConfig {
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
        const current = state.getStore()
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
      const current = state.getStore()
      if (!(started && current)) throw new Error('the callback has no state')
      const { issuer } = metadata()
      const { address } = current
      current.account = await admit(ctx, { provider, issuer, identity, address })
      const { email, name } = current.account
      return { id: identity.id, email, name, emailVerified: true }
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
