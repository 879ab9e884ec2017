import * as v from 'valibot'
import { inTransaction } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { notFound } from '../../lib/errors.ts'
import type { AccountContext } from './account-context.ts'
import {
  deleteChosenTimeZone,
  type PersonalSettings,
  selectPersonalSettings,
  updateAccountLanguage,
  updateChosenTimeZone,
  updateDigestStart,
  updatePersonalSettings,
  updateReportedTimeZone,
} from './sql.ts'

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

/** Which emails the person gets, and whether letters are shortcuts in the console. Throws `not_found`. */
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
