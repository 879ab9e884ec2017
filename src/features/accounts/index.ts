export { type AccountContext, recordAccountAudit } from './account-context.ts'
export {
  type Account,
  createAccount,
  createAccountWithoutPassword,
  findAccount,
  findAccountById,
  getPersonalSettings,
  renameAccount,
  setLanguage,
  setPersonalSettings,
  setTimeZone,
  TimeZone,
} from './accounts.ts'
export {
  hashPassword,
  leastPasswordCharacters,
  mostPasswordCharacters,
  NewPassword,
  requireUnrelatedPassword,
  verifyPassword,
} from './new-password.ts'
export { type DraftDigest, draftDigests, hasAccounts } from './sql.ts'
