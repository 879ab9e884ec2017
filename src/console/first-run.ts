import { createFirstAdmin, FirstAdmin, openSetup } from '../features/setup/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/db.ts'
import { parseInput } from '../lib/parse.ts'

export interface FirstRun {
  sql: Sql
  now: Now
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
  /** Whom the operator named in the configuration, if anybody. */
  admin: { email: string; password: string } | null
}

/**
 * For the start of the service: makes the admin that the configuration names, or gives the address of
 * the set-up page, to be shown on the terminal and nowhere else. Null when somebody has an account.
 * Throws `validation_failed` for an admin that cannot be made.
 */
export async function prepareFirstRun({
  sql,
  now,
  baseUrl,
  admin,
}: FirstRun): Promise<string | null> {
  if (admin) {
    const name = admin.email.split('@')[0]
    await createFirstAdmin({ sql, now }, parseInput(FirstAdmin, { ...admin, name }))
    return null
  }
  const token = await openSetup({ sql, now })
  return token && `${baseUrl}/setup/${token}`
}
