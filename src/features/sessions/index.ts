export type { Client } from './better-auth/better-auth.ts'
export { resetSeconds } from './better-auth/options.ts'
export { sessionCookieName } from './cookie-names.ts'
export { identityProviderProblem, isProtectedUrl } from './identity-provider/discovery.ts'
export { SignInRefused } from './identity-provider/find-or-create-account.ts'
export { type IdentityProvider, identityProviderIds } from './identity-provider/provider.ts'
export { unlinkIdentities } from './identity-provider/unlink.ts'
export { findOpenAccess } from './open-access.ts'
export {
  chooseTeam,
  endOtherSessions,
  endSession,
  endSessions,
  listSessions,
  purgeEndedSessions,
} from './own-sessions.ts'
export type { Challenge } from './second-factor/challenge.ts'
export { encryptedSecondFactorColumns } from './second-factor/encrypted-columns.ts'
export { findWithSecondFactor, listSecondFactors } from './second-factor/list.ts'
export { removeAuthenticator, removePasskey, resetSecondFactor } from './second-factor/remove.ts'
export { createSessions, recordFailedSignIn, type Sessions, type SignedIn } from './sessions.ts'
export { signInLinkMinutes } from './sign-in-link.ts'
export type { OpenSession, SecondFactors } from './sql.ts'
