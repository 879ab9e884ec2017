import { passkey } from '@better-auth/passkey'
import { APIError } from 'better-auth/api'
import { twoFactor } from 'better-auth/plugins/two-factor'

/** How long a person has to enter a code or use a passkey. */
const challengeSeconds = 600

/** Codes of authenticator apps and backup codes, on the table `two_factors`. */
export const twoFactorPlugin = () =>
  twoFactor({
    issuer: 'Tidings',
    allowPasswordless: true,
    twoFactorCookieMaxAge: challengeSeconds,
    // `login-throttle` limits guesses, without delays for the owner's devices.
    accountLockout: { enabled: false },
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'two_factors',
        fields: {
          userId: 'account_id',
          backupCodes: 'backup_codes',
          failedVerificationCount: 'failed_verifications',
          lockedUntil: 'locked_until',
        },
      },
    },
  })

/** Passkeys, on the table `passkeys`. */
export const passkeyPlugin = (baseUrl: string) =>
  passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: 'Tidings',
    origin: new URL(baseUrl).origin,
    // With both, a passkey replaces the address and the password.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: 'passkey' },
    authentication: {
      afterVerification({ verification }) {
        if (verification.authenticationInfo.userVerified) return
        throw new APIError('UNAUTHORIZED', { code: 'USER_NOT_VERIFIED' })
      },
    },
    schema: {
      passkey: {
        modelName: 'passkeys',
        fields: {
          userId: 'account_id',
          publicKey: 'public_key',
          credentialID: 'credential_id',
          deviceType: 'device_type',
          backedUp: 'backed_up',
          createdAt: 'created_at',
        },
      },
    },
  })
