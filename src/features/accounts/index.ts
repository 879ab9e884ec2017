export {
  type Account,
  type Accounts,
  type Client,
  chooseTeam,
  createAccount,
  createAccounts,
  endSessions,
  findAccount,
  renameAccount,
  type SignedIn,
} from './accounts.ts'
export { sessionCookieName } from './auth.ts'
export { requireAttempt } from './limits.ts'
export { leastPasswordCharacters, mostPasswordCharacters, NewPassword } from './passwords.ts'
export { hasAccounts } from './sql.ts'
