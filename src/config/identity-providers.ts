import * as v from 'valibot'
import {
  type IdentityProvider,
  identityProviderIds,
  isProtectedUrl,
} from '../features/sessions/index.ts'

const names = { google: 'Google', entra: 'Microsoft', okta: 'Okta', keycloak: 'Keycloak' } as const

const issuer = v.pipe(
  v.string(),
  v.check(isProtectedUrl, 'must be an https URL'),
  v.check(
    (value) => !/\/(?:common|organizations|consumers|\{tenantid\})(?:\/|$)/i.test(value),
    'must name your tenant: with "common", everybody with a Microsoft account could sign in',
  ),
)

const optionalText = v.optional(v.pipe(v.string(), v.trim()))

/** The settings of identity providers, for the schema of the configuration. */
export const identityProviderEntries = {
  OIDC_GOOGLE_CLIENT_ID: optionalText,
  OIDC_GOOGLE_CLIENT_SECRET: optionalText,
  OIDC_GOOGLE_ISSUER: v.optional(issuer, 'https://accounts.google.com'),
  OIDC_ENTRA_CLIENT_ID: optionalText,
  OIDC_ENTRA_CLIENT_SECRET: optionalText,
  OIDC_ENTRA_ISSUER: v.optional(issuer),
  OIDC_OKTA_CLIENT_ID: optionalText,
  OIDC_OKTA_CLIENT_SECRET: optionalText,
  OIDC_OKTA_ISSUER: v.optional(issuer),
  OIDC_KEYCLOAK_CLIENT_ID: optionalText,
  OIDC_KEYCLOAK_CLIENT_SECRET: optionalText,
  OIDC_KEYCLOAK_ISSUER: v.optional(issuer),
  OIDC_OTHER_CLIENT_ID: optionalText,
  OIDC_OTHER_CLIENT_SECRET: optionalText,
  OIDC_OTHER_ISSUER: v.optional(issuer),
  OIDC_OTHER_NAME: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(40)), 'single sign-on'),
  SIGN_IN: v.optional(v.picklist(['all', 'oidc'], 'must be all or oidc'), 'all'),
  CREATE_TEAMS: v.optional(
    v.picklist(['nobody', 'admins', 'everybody'], 'must be nobody, admins or everybody'),
    'nobody',
  ),
}

const Settings = v.object(identityProviderEntries)
type Settings = v.InferOutput<typeof Settings>

/**
 * The configured identity providers, in the order of their buttons. Throws an `Error` that names the
 * settings that are missing.
 */
export function identityProvidersOf(settings: Settings): readonly IdentityProvider[] {
  const providers = identityProviderIds.flatMap((id) => providerOf(settings, id) ?? [])
  if (settings.SIGN_IN === 'oidc' && providers.length === 0) {
    throw new Error('SIGN_IN=oidc needs an identity provider, such as OIDC_GOOGLE_CLIENT_ID.')
  }
  return Object.freeze(providers)
}

function providerOf(settings: Settings, id: IdentityProvider['id']): IdentityProvider | null {
  const prefix = `OIDC_${id.toUpperCase() as Uppercase<typeof id>}` as const
  const found = {
    [`${prefix}_CLIENT_ID`]: settings[`${prefix}_CLIENT_ID`],
    [`${prefix}_CLIENT_SECRET`]: settings[`${prefix}_CLIENT_SECRET`],
    [`${prefix}_ISSUER`]: settings[`${prefix}_ISSUER`],
  }
  const [clientId, clientSecret, url] = Object.values(found)
  const isUnset = clientId === undefined && clientSecret === undefined
  if (isUnset && (url === undefined || id === 'google')) return null
  if (clientId === undefined || clientSecret === undefined || url === undefined) {
    const missing = Object.entries(found).filter(([, value]) => value === undefined)
    throw new Error(
      `These settings belong together: ${Object.keys(found).join(', ')}. Set also ${missing.map(([name]) => name).join(', ')}.`,
    )
  }
  const name = id === 'other' ? settings.OIDC_OTHER_NAME : names[id]
  return Object.freeze({ id, name, issuer: url, clientId, clientSecret })
}
