export { resetSeconds, sessionCookieName } from './auth.ts'
export type { Client } from './better-auth.ts'
export {
  chooseTeam,
  endOtherSessions,
  endSession,
  endSessions,
  listSessions,
  purgeEndedSessions,
} from './own-sessions.ts'
export {
  type Challenge,
  encryptedSecondFactorColumns,
  findWithSecondFactor,
  listSecondFactors,
  removeAuthenticator,
  removePasskey,
  resetSecondFactor,
} from './second-factor.ts'
export { createSessions, recordFailedSignIn, type Sessions, type SignedIn } from './sessions.ts'
export type { OpenSession, SecondFactors } from './sql.ts'
