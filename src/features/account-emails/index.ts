export { composeChangeEmail, type WriteChangeEmail } from './change-emails.ts'
export {
  type ChangeEmails,
  changeEmailJob,
  queueAccountChange,
  recordAccountChange,
  recordChangeByAdmin,
} from './changes.ts'
export {
  accountEmailJob,
  encryptedEmailColumn,
  purgeExpiredEmails,
  queueAccountEmail,
  sendAccountEmail,
} from './emails.ts'
export type { AccountChange, ChangeRow } from './sql.ts'
