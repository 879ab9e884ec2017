import { createHash } from 'node:crypto'
import { networkOf } from '../../lib/concurrency/throttle.ts'
import type { ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { normalizeEmail } from '../../lib/text/email.ts'
import { consumeAttempt, deleteExpiredAttempts, refundAttempts } from './sql.ts'

export { createDevices, type Devices } from './device.ts'

interface Rate {
  /** The number of attempts that are allowed at once. */
  burst: number
  /** The time after which one more attempt is allowed. */
  intervalMs: number
}

// The limit of account and network is checked first: an attempt that it refuses does not count
// against the other limits.
const perAccountAndNetwork: Rate = { burst: 8, intervalMs: 60_000 }
const perNetwork: Rate = { burst: 40, intervalMs: 6_000 }
const perAccount: Rate = { burst: 100, intervalMs: 36_000 }
/** Codes of a second factor: a person who guesses them knows the password already. */
const perAccountCodes: Rate = { burst: 20, intervalMs: 15 * 60_000 }
/** A device on which the account has signed in before; others' attempts do not count against it. */
const perDevice: Rate = { burst: 20, intervalMs: 60_000 }

/** The limit of links for a new password per account, whoever requests them. */
const perResetAccount: Rate = { burst: 3, intervalMs: 20 * 60_000 }

/** Counts a link for a new password; false when the account has been sent 3 within the hour. */
export async function consumeResetEmail(ctx: ServiceContext, email: string): Promise<boolean> {
  const subject = subjectOf('reset email', normalizeEmail(email))
  return (await consume(ctx, { subject, rate: perResetAccount, clears: false })) === 0
}

/** The limit of emails about changes of an account; the next one has all changes that were made meanwhile. */
const perChangedAccount: Rate = { burst: 5, intervalMs: 10 * 60_000 }

/** Counts an email about changes of an account. Returns the ms to wait for it, 0 when it is allowed. */
export async function consumeChangeEmail(ctx: ServiceContext, accountId: string): Promise<number> {
  const subject = subjectOf('change email', accountId)
  return await consume(ctx, { subject, rate: perChangedAccount, clears: false })
}

/** Sign-ins of one network that start with a passkey or an identity provider: each stores a row. */
const perStartNetwork: Rate = { burst: 60, intervalMs: 2_000 }

/** Counts the start of a sign-in with a passkey or an identity provider. Throws `rate_limited`. */
export async function consumeSignInStart(
  ctx: ServiceContext,
  { method, address }: { method: 'passkey' | 'identity provider'; address: string },
): Promise<void> {
  const subject = subjectOf(method, 'network', networkOf(address))
  const waitMs = await consume(ctx, { subject, rate: perStartNetwork, clears: false })
  if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
}

/** The action under which codes of a second factor are counted. */
export const secondFactorAction = 'second factor'

/** How long a used code is refused, in ms: longer than a code is valid. */
const usedCodeMs = 120_000

/** Marks a code of an authenticator app as used; false when it has been used before. */
export async function consumeCode(
  ctx: ServiceContext,
  { accountId, code }: { accountId: string; code: string },
): Promise<boolean> {
  const rate = { burst: 1, intervalMs: usedCodeMs }
  const subject = subjectOf('code', accountId, code)
  return (await consume(ctx, { subject, rate, clears: false })) === 0
}

interface LoginAttempt {
  /** The page; each page has its own counts. */
  action: string
  email: string
  /** The client's network address. */
  address: string
  /** The device on which this account has signed in before, if it is one; see `deviceOf`. */
  device?: string | undefined
}

/** One count that limits an attempt. */
interface Limit {
  subject: Buffer
  rate: Rate
  /** A success deletes the wrong attempts before it. */
  clears: boolean
}

/**
 * Counts an attempt to sign in (or another attempt that is limited like it) before anything is
 * looked up. A known device has its own limit, so that other people's guesses do not delay it;
 * beyond that limit it is treated like any other device. Throws `rate_limited` for known and
 * unknown addresses alike.
 */
export async function consumeLoginAttempt(
  ctx: ServiceContext,
  attempt: LoginAttempt,
): Promise<{ succeeded(): Promise<void> }> {
  const counted = await countAttempt(ctx, attempt)
  return {
    /** A successful attempt does not count. */
    async succeeded() {
      for (const { subject, rate, clears } of counted) {
        const attempts = clears ? rate.burst : 1
        await withDeadline(refundAttempts(ctx.sql, subject, attempts * rate.intervalMs))
      }
    },
  }
}

async function countAttempt(ctx: ServiceContext, attempt: LoginAttempt): Promise<readonly Limit[]> {
  const device = deviceLimit(attempt)
  if (device && (await consume(ctx, device)) === 0) return [device]
  const limits = generalLimits(attempt)
  for (const limit of limits) {
    const waitMs = await consume(ctx, limit)
    if (waitMs > 0) throw tooMany(Math.ceil(waitMs / 1000))
  }
  return limits
}

const consume = ({ sql, now }: ServiceContext, { subject, rate }: Limit) =>
  withDeadline(consumeAttempt(sql, subject, now(), rate))

// Hashed, because people type passwords into the wrong field.
const subjectOf = (...parts: string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest()

function deviceLimit(attempt: LoginAttempt): Limit | undefined {
  const { action, device } = attempt
  if (device === undefined) return undefined
  const subject = subjectOf(action, 'device', normalizeEmail(attempt.email), device)
  return { subject, rate: perDevice, clears: true }
}

function generalLimits(attempt: LoginAttempt): readonly Limit[] {
  const { action, address } = attempt
  const [account, network] = [normalizeEmail(attempt.email), networkOf(address)]
  return [
    {
      subject: subjectOf(action, 'both', account, network),
      rate: perAccountAndNetwork,
      clears: true,
    },
    { subject: subjectOf(action, 'network', network), rate: perNetwork, clears: false },
    {
      subject: subjectOf(action, 'account', account),
      rate: action === secondFactorAction ? perAccountCodes : perAccount,
      clears: false,
    },
  ]
}

function tooMany(seconds: number): AppError {
  return new AppError(
    'rate_limited',
    `Too many attempts. Wait ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`} and try again.`,
    { retryAfterSeconds: seconds },
  )
}

/** Deletes the counts that delay nobody any more. */
export async function purgeLoginAttempts({ sql, now }: ServiceContext): Promise<void> {
  await deleteExpiredAttempts(sql, now())
}
