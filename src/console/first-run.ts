import { createFirstAdmin, FirstAdmin, openSetup } from '../features/setup/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/database/db.ts'
import { parseInput } from '../lib/parse.ts'

export interface FirstRun {
  sql: Sql
  now: Now
  /** How people reach the service, without a slash at the end. */
  baseUrl: string
  /** The admin from the configuration, or null. */
  admin: { email: string; password: string } | null
}

/**
 * Creates the admin from the configuration, or returns the URL of the setup page, which must be shown
 * only in the terminal. Returns null when an account exists. Throws `validation_failed` for an invalid
 * admin.
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
