import { createHash } from 'node:crypto'
import type { Now } from '../../lib/clock.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { AppError } from '../../lib/errors.ts'
import { networkOf } from '../../lib/throttle.ts'
import { consumeAttempt, purgeAttempts, refundAttempts } from './sql.ts'

interface Pace {
  /** How many at once. */
  burst: number
  /** After those, one every so often. */
  intervalMs: number
}

// A network first, then one account from there, then the account from everywhere: whoever is stopped
// at his own door cannot use up what the owner needs. Nobody is locked out for good.
const perNetwork: Pace = { burst: 40, intervalMs: 6_000 }
const perAccountAndNetwork: Pace = { burst: 8, intervalMs: 60_000 }
const perAccount: Pace = { burst: 100, intervalMs: 36_000 }

/**
 * Counts an attempt to sign in, or to do what is guarded like it, before anything is looked up.
 * `action` keeps counts apart. Throws `rate_limited`, alike for known and unknown addresses.
 */
export async function consumeLoginAttempt(
  sql: Sql,
  now: Now,
  attempt: { action: string; email: string; address: string },
): Promise<{ succeeded(): Promise<void> }> {
  const paces = pacesOf(attempt)
  for (const { subject, pace } of paces) {
    const waitMs = await withDeadline(consumeAttempt(sql, subject, now(), pace))
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
  }
  return {
    /** An attempt that was right does not count, and clears the wrong ones before it from there. */
    async succeeded() {
      for (const { subject, pace, forgives } of paces) {
        const attempts = forgives ? pace.burst : 1
        await withDeadline(refundAttempts(sql, subject, attempts * pace.intervalMs))
      }
      await withDeadline(purgeAttempts(sql, now()))
    },
  }
}

function pacesOf({ action, email, address }: { action: string; email: string; address: string }) {
  const network = networkOf(address)
  const account = email.trim().toLowerCase()
  // Hashed, since people type passwords into the wrong field.
  const subject = (...parts: string[]) =>
    createHash('sha256')
      .update(JSON.stringify([action, ...parts]))
      .digest()
  return [
    { subject: subject('network', network), pace: perNetwork },
    { subject: subject('both', account, network), pace: perAccountAndNetwork, forgives: true },
    { subject: subject('account', account), pace: perAccount },
  ]
}

function tooMany(seconds: number): AppError {
  return new AppError(
    'rate_limited',
    `Too many attempts. Wait ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`} and try again.`,
    { retryAfterSeconds: seconds },
  )
}
