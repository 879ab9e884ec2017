import type { Logger } from 'pino'
import { type Now, systemClock } from './clock.ts'
import type { Sql } from './db.ts'
import { isRefused, type MailTransport, type OutgoingMail } from './mail.ts'

/** Where whoever queues mail rings (`pg_notify`), so that it leaves at once. */
export const mailChannel = 'tidings_mail'

/** A mail that is being sent. */
export interface QueuedMail extends OutgoingMail {
  /** This one included. */
  attempts: number
}

/** Mail of one kind that waits in the database. */
export interface MailQueue {
  /**
   * Takes up to `limit` due mails of all teams, oldest first, each for one sender alone: until
   * `abandonedAt`, after which it is due again.
   */
  claim(at: Date, abandonedAt: Date, limit: number): Promise<QueuedMail[]>
  /** Stores that a mail has left. */
  noteSent(mail: QueuedMail, at: Date): Promise<void>
  /** Stores that an attempt failed: the next one is due at `dueAt`, or null for never. */
  noteFailed(mail: QueuedMail, reason: string, dueAt: Date | null): Promise<void>
}

const atOnce = 5
const minuteMs = 60_000
/** Longer than any attempt lasts: whoever holds a mail beyond this has died. */
const abandonedAfterMs = 10 * minuteMs
/** How long a stop waits for a mail server to take what it is being given. */
const graceMs = 3_000
/** Before each further attempt; after the last of them, about a day later, a mail is given up. */
const retryDelaysMs = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * minuteMs)

export interface MailerDeps {
  /** Hears of new mail. */
  sql: Sql
  queues: readonly MailQueue[]
  mail: MailTransport
  log: Logger
  now?: Now
  /** How often the queue is looked at when nobody rings. */
  pollMs?: number
}

/**
 * Sends queued mail: at once when some is queued, and later what could not be sent. Several may run
 * on one database. A mail goes out once, unless a process dies between the server's taking it and our
 * noting it: then it goes out again under the same Message-ID, by which mail systems tell doubles.
 * `stop` waits a moment for what is under way.
 */
export function startMailer({
  sql,
  queues,
  mail,
  log,
  now = systemClock,
  pollMs = 15_000,
}: MailerDeps): { stop(): Promise<void> } {
  const bell = createBell()
  let stopped = false
  sql.listen(mailChannel, bell.ring).catch((error: unknown) => {
    log.warn({ err: error }, 'mail waits for the clock: no word from the database')
  })
  const work = async () => {
    while (!stopped) {
      const tried = await Promise.all(queues.map((queue) => sendDue({ queue, mail, log, now })))
      if (tried.every((many) => many === 0)) await bell.wait(pollMs)
    }
  }
  const working = work()
  return {
    async stop() {
      stopped = true
      bell.ring()
      await Promise.race([working, Bun.sleep(graceMs)])
    },
  }
}

/** Ends a wait early, also one that has not begun yet. */
function createBell() {
  let rung = false
  let wake = () => {}
  return {
    ring: () => {
      rung = true
      wake()
    },
    async wait(ms: number): Promise<void> {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
    },
  }
}

type Sending = Required<Pick<MailerDeps, 'mail' | 'log' | 'now'>> & { queue: MailQueue }

/** Sends what is due, a handful at once; gives how many were tried. Never throws. */
async function sendDue(deps: Sending): Promise<number> {
  try {
    const at = deps.now()
    const abandonedAt = new Date(at.getTime() + abandonedAfterMs)
    const mails = await deps.queue.claim(at, abandonedAt, atOnce)
    const results = await Promise.allSettled(mails.map((mail) => sendOne(deps, mail)))
    for (const result of results) {
      if (result.status === 'rejected') {
        deps.log.error({ err: result.reason }, 'the end of a mail was not noted')
      }
    }
    return mails.length
  } catch (error) {
    deps.log.error({ err: error }, 'the mail queue cannot be read')
    return 0
  }
}

async function sendOne({ queue, mail, log, now }: Sending, claimed: QueuedMail): Promise<void> {
  const { id, teamId, recipient, subject, html, text, attempts } = claimed
  try {
    await mail.send({ id, teamId, recipient, subject, html, text })
  } catch (error) {
    const delayMs = isRefused(error) ? undefined : retryDelaysMs[attempts - 1]
    const dueAt = delayMs === undefined ? null : new Date(now().getTime() + delayMs)
    log.warn({ mailId: id, teamId, attempts, dueAt, ...codesOf(error) }, 'mail was not sent')
    await queue.noteFailed(claimed, reasonOf(error), dueAt)
    return
  }
  await queue.noteSent(claimed, now())
  log.info({ mailId: id, teamId, attempts }, 'mail sent')
}

/** What may be logged of an SMTP failure: its text can repeat addresses. */
function codesOf(error: unknown): { code?: unknown; responseCode?: unknown } {
  if (!(error instanceof Error)) return {}
  return {
    ...('code' in error && { code: error.code }),
    ...('responseCode' in error && { responseCode: error.responseCode }),
  }
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, 500)
