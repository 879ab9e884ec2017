export { type AccountContext, recordAccountAudit } from './account-context.ts'
export { createAccount, createAccountWithoutPassword } from './create.ts'
export { type Account, findAccount, findAccountById } from './find.ts'
export {
  hashPassword,
  maxPasswordCharacters,
  minPasswordCharacters,
  NewPassword,
  requireUnrelatedPassword,
  verifyPassword,
} from './new-password.ts'
export {
  chooseTimeZone,
  getPersonalSettings,
  reportTimeZone,
  setLanguage,
  setPersonalSettings,
  TimeZone,
} from './preferences.ts'
export { renameAccount } from './rename.ts'
export { type DraftDigest, draftDigests, existsAccount } from './sql.ts'
