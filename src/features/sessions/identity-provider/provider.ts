/** The identity providers that can be configured; `other` is any other with OpenID Connect. */
export const identityProviderIds = ['google', 'entra', 'okta', 'keycloak', 'other'] as const

/** An identity provider, as the operator has configured it. */
export interface IdentityProvider {
  id: (typeof identityProviderIds)[number]
  /** What people read on the button: "Sign in with Okta". */
  name: string
  /** The URL that identifies it, as in its tokens; https, or http on this machine. */
  issuer: string
  clientId: string
  clientSecret: string
}

/** The path to which a provider sends people back. */
export const callbackPath = (id: string): string => `/login/oidc/${id}/callback`
