import { createFirstAdmin, openSetup } from '../features/setup/index.ts'
import type { Now } from '../lib/clock.ts'
import type { Sql } from '../lib/database/db.ts'
import { AppError } from '../lib/errors.ts'

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
 * only in the terminal. Returns null when an account exists. Throws an error that names the settings of an
 * invalid admin.
 */
export async function prepareFirstRun({
  sql,
  now,
  baseUrl,
  admin,
}: FirstRun): Promise<string | null> {
  if (admin) {
    const [name = ''] = admin.email.split('@')
    await createFirstAdmin({ sql, now }, { ...admin, name }).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'validation_failed'
        ? new Error(`TIDINGS_ADMIN_EMAIL and TIDINGS_ADMIN_PASSWORD: ${error.message}.`)
        : error
    })
    return null
  }
  const token = await openSetup({ sql, now })
  return token && `${baseUrl}/setup/${token}`
}
