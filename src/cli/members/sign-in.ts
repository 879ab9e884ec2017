import { changeEmailJob } from '../../features/account-emails/index.ts'
import { findMembersByEmail, memberSubject } from '../../features/members/index.ts'
import {
  createSessions,
  resetSecondFactor,
  type Sessions,
  signInLinkMinutes,
  unlinkIdentities,
} from '../../features/sessions/index.ts'
import type { Context } from '../../lib/context.ts'
import { AppError, notFound } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import { type JobQueue, startQueue } from '../../lib/queue/index.ts'
import {
  type CliContext,
  type CliRuntime,
  databaseAction,
  newTeamCommand,
  teamContext,
} from '../command.ts'

/** Runs `work` with the queue for emails about changes of accounts; null when no mail server is set. */
export async function withEmailQueue<Result>(
  { config, database }: CliContext,
  work: (emailQueue: JobQueue | null) => Promise<Result>,
): Promise<Result> {
  if (config.smtpUrl === null) return await work(null)
  const log = createLog('silent')
  const queue = await startQueue({ database, types: [changeEmailJob], log, supervise: false })
  try {
    return await work(queue)
  } finally {
    await queue.stop()
  }
}

/** The sessions of the console, for commands that create links. */
export function sessionsOf(
  { sql, now, log, secret, config }: CliContext,
  emailQueue: JobQueue | null,
): Sessions {
  const { baseUrl } = config
  return createSessions({ sql, now, log, baseUrl, secret, emailQueue, sendReset: async () => {} })
}

/** The account of a member of the team. Throws `not_found` for a member without one. */
async function requireAccount(ctx: Context, address: string) {
  const [member] = await findMembersByEmail(ctx, [address])
  if (!member?.account_id) throw notFound(`The account of ${address}`)
  const { name, email, account_id: accountId } = member
  return { name, email, accountId, subject: memberSubject(member) }
}

/** `tidings member sign-in-link` */
export const signInLinkCommand = (runtime: CliRuntime) =>
  newTeamCommand('sign-in-link')
    .description(
      'Print a link that signs a member in once, when the identity provider does not work',
    )
    .requiredOption('--email <address>', 'email address of the member')
    .action(
      databaseAction(runtime, async (context, { team, email: address }) => {
        const ctx = await teamContext(context, team)
        const { email, accountId, subject } = await requireAccount(ctx, address)
        const token = await withEmailQueue(context, (emailQueue) =>
          sessionsOf(context, emailQueue).createSignInToken(ctx, { accountId, email, subject }),
        )
        const url = `${context.config.baseUrl}/login/link/${token}`
        const text = `To sign in, once, within ${signInLinkMinutes} minutes:\n${url}`
        return { text, json: { email, url } }
      }),
    )

/** `tidings member unlink-identity` */
export const unlinkIdentityCommand = (runtime: CliRuntime) =>
  newTeamCommand('unlink-identity')
    .description('Let another person of the identity provider sign in with the address of a member')
    .requiredOption('--email <address>', 'email address of the member')
    .action(
      databaseAction(runtime, async (context, { team, email: address }) => {
        const ctx = await teamContext(context, team)
        const { name, email, accountId, subject } = await requireAccount(ctx, address)
        const unlinked = await withEmailQueue(context, (emailQueue) =>
          unlinkIdentities({ ...ctx, emailQueue }, { accountId, subject }),
        )
        if (unlinked === 0) {
          throw new AppError('not_found', `${name} has not signed in with an identity provider`)
        }
        const text = `The password and the second factors of ${name} are removed. The next person who signs in as ${email} at the identity provider gets this account.`
        return { text, json: { email } }
      }),
    )

/** `tidings member reset-second-factor` */
export const resetSecondFactorCommand = (runtime: CliRuntime) =>
  newTeamCommand('reset-second-factor')
    .description('Remove the second factor of a member who has lost it, and end their sessions')
    .requiredOption('--email <address>', 'email address of the member')
    .action(
      databaseAction(runtime, async (context, { team, email: address }) => {
        const ctx = await teamContext(context, team)
        const { name, email, accountId, subject } = await requireAccount(ctx, address)
        const hadSecondFactor = await withEmailQueue(context, (emailQueue) =>
          resetSecondFactor({ ...ctx, emailQueue }, { accountId, subject }),
        )
        if (!hadSecondFactor) throw new AppError('not_found', `${name} has no second factor`)
        const text = `${name} signs in with the password alone until a second factor is set up again.`
        return { text, json: { email } }
      }),
    )
