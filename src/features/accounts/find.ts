import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { normalizeEmail } from '../../lib/text/email.ts'
import { type AccountRow, selectAccountByEmail, selectAccountById } from './sql.ts'

/** A person who can sign in; can be a member of several teams. The address is in lower case. */
export type Account = AccountRow

/** The database that accounts are read from. */
type AccountReadContext = Pick<ServiceContext, 'sql'>

/** The account with this address, whatever its capitalization. */
export async function findAccount(
  { sql }: AccountReadContext,
  email: string,
): Promise<Account | undefined> {
  return await withDeadline(selectAccountByEmail(sql, normalizeEmail(email)))
}

/** The account with this id. */
export async function findAccountById(
  { sql }: AccountReadContext,
  id: string,
): Promise<Account | undefined> {
  return await withDeadline(selectAccountById(sql, id))
}
