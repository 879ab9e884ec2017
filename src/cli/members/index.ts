import { Command, Option } from '@commander-js/extra-typings'
import {
  addMember,
  findMembersByEmail,
  invitationDays,
  inviteMember,
  listMembers,
  type Member,
  memberSubject,
  NewMember,
  removeMember,
} from '../../features/members/index.ts'
import { getTeamBySlug } from '../../features/teams/index.ts'
import { invalidField, notFound } from '../../lib/errors.ts'
import { parseInput } from '../../lib/parse.ts'
import {
  type CliContext,
  type CliRuntime,
  databaseAction,
  formatTable,
  newTeamCommand,
  teamContext,
  withCommandLine,
} from '../command.ts'

import {
  resetSecondFactorCommand,
  sessionsOf,
  signInLinkCommand,
  unlinkIdentityCommand,
  withEmailQueue,
} from './sign-in.ts'

/** `tidings member …` */
export const memberCommand = (runtime: CliRuntime) =>
  new Command('member')
    .description('Manage the members of a team')
    .addCommand(add(runtime))
    .addCommand(link(runtime))
    .addCommand(list(runtime))
    .addCommand(remove(runtime))
    .addCommand(resetSecondFactorCommand(runtime))
    .addCommand(signInLinkCommand(runtime))
    .addCommand(unlinkIdentityCommand(runtime))

const add = (runtime: CliRuntime) =>
  newTeamCommand('add')
    .description('Add a member to a team')
    .requiredOption('--email <address>', 'email address of the person')
    .requiredOption('--name <name>', 'name that people read')
    .addOption(
      new Option('--role <role>', 'what the member may do')
        .choices(['admin', 'editor', 'viewer'])
        .default('editor'),
    )
    .action(
      databaseAction(runtime, async (context, { team, email, name, role }) => {
        const ctx = await teamContext(context, team)
        const member = await addMember(ctx, parseInput(NewMember, { email, name, role }))
        return { text: `Added ${member.name} as ${member.role}.`, json: member }
      }),
    )

const link = (runtime: CliRuntime) =>
  newTeamCommand('link')
    .description('Print a link with which a member joins, or chooses a new password')
    .requiredOption('--email <address>', 'email address of the member')
    .action(
      databaseAction(runtime, async (context, { team, email }) => {
        const { sql, config } = context
        const { id: teamId } = await getTeamBySlug(sql, team)
        const [member] = await findMembersByEmail({ sql, actor: { teamId } }, [email])
        if (!member) throw notFound(`The member ${email}`)
        const { path, text } = await linkFor(context, teamId, member)
        const url = `${config.baseUrl}${path}`
        return { text: `${text}:\n${url}`, json: { email: member.email, url } }
      }),
    )

/** An invitation for a member without an account; otherwise a reset link, which ends the sessions. */
async function linkFor(context: CliContext, teamId: string, member: Member) {
  const { sql, now } = context
  const { account_id } = member
  const ctx = withCommandLine({ sql, now }, teamId)
  if (account_id === null) {
    const token = await inviteMember(ctx, member)
    return { path: `/join/${token}`, text: `To join, once, within ${invitationDays} days` }
  }
  if (!context.config.passwordSignIn) {
    const message =
      'members sign in with the identity provider; if it does not work, run: tidings member sign-in-link'
    throw invalidField('/email', message)
  }
  const subject = memberSubject(member)
  const token = await withEmailQueue(context, (emailQueue) =>
    sessionsOf(context, emailQueue).createResetToken(ctx, { accountId: account_id, subject }),
  )
  return { path: `/reset/${token}`, text: 'To choose a new password, once, within an hour' }
}

const list = (runtime: CliRuntime) =>
  newTeamCommand('list')
    .description('List the members of a team')
    .action(
      databaseAction(runtime, async ({ sql }, { team }) => {
        const { id: teamId } = await getTeamBySlug(sql, team)
        const members = await listMembers({ sql, actor: { teamId } })
        const rows = members.map(({ email, name, role }) => [email, name, role])
        return { text: formatTable(['EMAIL', 'NAME', 'ROLE'], rows), json: members }
      }),
    )

const remove = (runtime: CliRuntime) =>
  newTeamCommand('remove')
    .description('Remove a member from a team')
    .requiredOption('--email <address>', 'email address or id of the member')
    .action(
      databaseAction(runtime, async (context, { team, email }) => {
        await removeMember(await teamContext(context, team), email)
        return { text: `Removed ${email}.`, json: { email } }
      }),
    )
