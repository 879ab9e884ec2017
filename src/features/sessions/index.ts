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
export { createSessions, recordFailedSignIn, type Sessions, type SignedIn } from './sessions.ts'
export type { OpenSession } from './sql.ts'
