export { resetSeconds, sessionCookieName } from './auth.ts'
export {
  type Client,
  chooseTeam,
  createSessions,
  endOtherSessions,
  endSession,
  endSessions,
  listSessions,
  purgeEndedSessions,
  type Sessions,
  type SignedIn,
} from './sessions.ts'
export type { OpenSession } from './sql.ts'
