const sessionSeconds = 14 * 24 * 3600
/**
 * The age at which a session is renewed; the time of its last use is stored with this precision.
 */
const renewSeconds = 600

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** The tables of migrations 0008 and 0027, with the columns that better-auth knows by other names. */
export const tables = {
  user: { modelName: 'accounts', fields: { ...times, emailVerified: 'email_verified' } },
  account: {
    modelName: 'credentials',
    fields: {
      ...times,
      userId: 'account_id',
      providerId: 'provider_id',
      accountId: 'provider_account_id',
    },
    // `findOrCreateAccount` links accounts, and no token of a provider is stored.
    accountLinking: { enabled: false },
    updateAccountOnSignIn: false,
  },
  session: {
    modelName: 'sessions',
    fields: {
      ...times,
      userId: 'account_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
    additionalFields: {
      teamId: { type: 'string', required: false, input: false, fieldName: 'team_id' },
      identityProvider: {
        type: 'boolean',
        required: false,
        input: false,
        defaultValue: false,
        fieldName: 'identity_provider',
      },
    },
    expiresIn: sessionSeconds,
    updateAge: renewSeconds,
    // No limit to the age of a session in which the password is changed: the current one is required.
    freshAge: 0,
  },
  verification: {
    modelName: 'account_tokens',
    fields: { ...times, expiresAt: 'expires_at' },
    storeIdentifier: 'hashed',
  },
} as const

/** The prefix of ids, by the name that better-auth has for the table. */
export const idPrefixes: Record<string, string> = {
  twoFactor: 'tf',
  passkey: 'pk',
  user: 'ac',
  account: 'cr',
  session: 'se',
  verification: 'at',
}
