export { type AccountContext, recordAccountAudit } from './account-context.ts'
export {
  type Account,
  chooseTimeZone,
  createAccount,
  createAccountWithoutPassword,
  findAccount,
  findAccountById,
  getPersonalSettings,
  renameAccount,
  reportTimeZone,
  setLanguage,
  setPersonalSettings,
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
