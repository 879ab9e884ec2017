export { resetSeconds, sessionCookieName } from './auth.ts'
export {
  type Client,
  chooseTeam,
  createSessions,
  endSessions,
  forgetEndedSessions,
  type Sessions,
  type SignedIn,
} from './sessions.ts'
