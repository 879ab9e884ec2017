import type { Tx } from '../../../lib/database/db.ts'
import {
  deleteSecondFactors,
  deleteSessions,
  deleteTokens,
  updateTwoFactorEnabled,
} from '../sql.ts'
import { deletePassword } from './sql.ts'

/**
 * Removes the password and the second factors of an account, and ends its sessions and links: only the identity
 * provider signs its person in from now on, until they choose a new password.
 */
export async function removeCredentials(tx: Tx, accountId: string): Promise<void> {
  await deletePassword(tx, accountId)
  await deleteSecondFactors(tx, accountId)
  await updateTwoFactorEnabled(tx, accountId)
  await deleteTokens(tx, accountId)
  await deleteSessions(tx, accountId)
}
