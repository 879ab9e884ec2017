import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { Account } from './find.ts'
import { hashPassword, requireUnrelatedPassword } from './new-password.ts'
import { insertAccount, insertAccountWithoutPassword, selectAccountByEmail } from './sql.ts'

/**
 * Creates an account. The address is known to be the person's unless `isVerified` is false, because somebody else can
 * have chosen the password. Throws `validation_failed` when there is an account.
 */
export async function createAccount(
  { sql, now }: ServiceContext,
  {
    email,
    name,
    password,
    isVerified = true,
  }: { email: string; name: string; password: string; isVerified?: boolean },
): Promise<Account> {
  requireUnrelatedPassword(password, { email, name })
  const at = now()
  const account = { id: newId('ac', at), email, name }
  const credential = { id: newId('cr', at), password: await hashPassword(password), isVerified }
  if (!(await withDeadline(insertAccount(sql, account, credential, at)))) {
    throw invalidField('/email', `${email} has an account already`, 'taken')
  }
  return account
}

/**
 * Creates an account without a password, whose address is known to be the person's. Returns the account
 * that somebody else has just created with this address, if there is one.
 */
export async function createAccountWithoutPassword(
  { sql, now }: ServiceContext,
  { email, name }: { email: string; name: string },
): Promise<Account> {
  const at = now()
  const account = { id: newId('ac', at), email, name }
  await withDeadline(insertAccountWithoutPassword(sql, account, at))
  return (await withDeadline(selectAccountByEmail(sql, email))) ?? account
}
