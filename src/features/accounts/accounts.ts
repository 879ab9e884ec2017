import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { hashPassword, requireUnrelatedPassword } from './passwords.ts'
import {
  type AccountRow,
  insertAccount,
  selectAccountByEmail,
  selectAccountById,
  updateAccountName,
} from './sql.ts'

/** Somebody who can sign in; may be a member of several teams. The address is in lower case. */
export type Account = AccountRow

/** Makes an account whose address is known to be the person's. Throws `validation_failed` when there is one. */
export async function createAccount(
  sql: Sql | Tx,
  now: Now,
  { email, name, password }: { email: string; name: string; password: string },
): Promise<Account> {
  requireUnrelatedPassword(password, { email, name })
  const at = now()
  const account = { id: newId('ac', at), email, name }
  const credential = { id: newId('cr', at), password: await hashPassword(password) }
  if (!(await withDeadline(insertAccount(sql, account, credential, at)))) {
    throw invalidField('/email', `${email} has an account already`, 'taken')
  }
  return account
}

/** The account with this address, however it is spelled in capitals. */
export async function findAccount(sql: Sql | Tx, email: string): Promise<Account | undefined> {
  return await withDeadline(selectAccountByEmail(sql, email.trim().toLowerCase()))
}

/** What the person is called from now on. */
export async function renameAccount(sql: Sql, accountId: string, name: string): Promise<void> {
  await withDeadline(updateAccountName(sql, accountId, name))
}

/** The account with this id. */
export async function findAccountById(sql: Sql | Tx, id: string): Promise<Account | undefined> {
  return await withDeadline(selectAccountById(sql, id))
}
