import * as v from 'valibot'
import { inTransaction, type ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { renameMember } from '../members/index.ts'
import { type AccountContext, recordAccountAudit } from './account-context.ts'
import { hashPassword, requireUnrelatedPassword } from './new-password.ts'
import {
  type AccountRow,
  deleteChosenTimeZone,
  insertAccount,
  insertAccountWithoutPassword,
  type PersonalSettings,
  selectAccountByEmail,
  selectAccountById,
  selectPersonalSettings,
  updateAccountLanguage,
  updateAccountName,
  updateChosenTimeZone,
  updateDigestStart,
  updatePersonalSettings,
  updateReportedTimeZone,
} from './sql.ts'

/** A person who can sign in; can be a member of several teams. The address is in lower case. */
export type Account = AccountRow

/** The database that accounts are read from. */
type AccountReadContext = Pick<ServiceContext, 'sql'>

/** Creates an account whose address is known to be the person's. Throws `validation_failed` when there is one. */
export async function createAccount(
  { sql, now }: ServiceContext,
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

/** The account with this address, whatever its capitalization. */
export async function findAccount(
  { sql }: AccountReadContext,
  email: string,
): Promise<Account | undefined> {
  return await withDeadline(selectAccountByEmail(sql, email.trim().toLowerCase()))
}

/** Changes the name of a person in their account and in all their teams. */
export async function renameAccount(ctx: AccountContext, name: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const { sql, accountId } = txCtx
    await updateAccountName(sql, accountId, name)
    await renameMember(sql, accountId, name)
    await recordAccountAudit(txCtx, 'account_renamed', name)
  })
}

/** An IANA time zone that `Intl` knows, such as `Europe/Berlin`. */
export const TimeZone = v.pipe(
  v.string(),
  v.maxLength(64),
  v.check(isTimeZone, 'must be a name such as Europe/Berlin'),
)

function isTimeZone(name: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    // `Intl` also accepts offsets such as `+01:00`, which ignore daylight saving time.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** Stores the time zone in which a person wants to see times; null: the one of the browser. */
export async function chooseTimeZone(
  { sql, accountId }: AccountContext,
  timeZone: v.InferOutput<typeof TimeZone> | null,
): Promise<void> {
  await withDeadline(
    timeZone === null
      ? deleteChosenTimeZone(sql, accountId)
      : updateChosenTimeZone(sql, accountId, timeZone),
  )
}

/** Stores the time zone of a person's browser, unless the person has chosen one. */
export async function reportTimeZone(
  { sql, accountId }: AccountContext,
  timeZone: v.InferOutput<typeof TimeZone>,
): Promise<void> {
  await withDeadline(updateReportedTimeZone(sql, accountId, timeZone))
}

/** Stores the language in which a person reads the console; null: the language of the browser. */
export async function setLanguage(
  { sql, accountId }: AccountContext,
  language: string | null,
): Promise<void> {
  await withDeadline(updateAccountLanguage(sql, accountId, language))
}

/** Which emails the person gets, and whether letters are shortcuts in the console. */
export async function getPersonalSettings({
  sql,
  accountId,
}: Pick<AccountContext, 'sql' | 'accountId'>): Promise<PersonalSettings> {
  const settings = await withDeadline(selectPersonalSettings(sql, accountId))
  if (!settings) throw notFound('The account')
  return settings
}

/** Stores the given personal settings. */
export async function setPersonalSettings(
  ctx: AccountContext,
  settings: Partial<PersonalSettings>,
): Promise<void> {
  await inTransaction(ctx, async ({ sql, accountId, now }) => {
    if (settings.draft_digest !== undefined) await updateDigestStart(sql, accountId, now())
    await updatePersonalSettings(sql, accountId, settings)
  })
}

/** The account with this id. */
export async function findAccountById(
  { sql }: AccountReadContext,
  id: string,
): Promise<Account | undefined> {
  return await withDeadline(selectAccountById(sql, id))
}
