export { type Account, createAccount, findAccount, renameAccount } from './accounts.ts'
export {
  hashPassword,
  leastPasswordCharacters,
  mostPasswordCharacters,
  NewPassword,
  verifyPassword,
} from './passwords.ts'
export { hasAccounts } from './sql.ts'
