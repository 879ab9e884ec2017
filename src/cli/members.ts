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
} from '../features/members/index.ts'
import { createSessions, resetSecondFactor } from '../features/sessions/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { notFound } from '../lib/errors.ts'
import { parseInput } from '../lib/parse.ts'
import {
  type CliContext,
  type CliRuntime,
  databaseAction,
  newTeamCommand,
  table,
  teamContext,
  withCommandLine,
} from './command.ts'

/** `tidings member …` */
export const memberCommand = (runtime: CliRuntime) =>
  new Command('member')
    .description('Manage the members of a team')
    .addCommand(add(runtime))
    .addCommand(link(runtime))
    .addCommand(list(runtime))
    .addCommand(remove(runtime))
    .addCommand(resetFactor(runtime))

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
        const [member] = await findMembersByEmail(sql, teamId, [email])
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
  const { baseUrl } = context.config
  const sendReset = async () => {}
  const { log, secret } = context
  const sessions = createSessions({ sql, now, log, baseUrl, secret, sendReset })
  const subject = memberSubject(member)
  const token = await sessions.makeResetToken(ctx, { accountId: account_id, subject })
  return { path: `/reset/${token}`, text: 'To choose a new password, once, within an hour' }
}

const list = (runtime: CliRuntime) =>
  newTeamCommand('list')
    .description('List the members of a team')
    .action(
      databaseAction(runtime, async ({ sql }, { team }) => {
        const { id: teamId } = await getTeamBySlug(sql, team)
        const members = await listMembers(sql, teamId)
        const rows = members.map(({ email, name, role }) => [email, name, role])
        return { text: table(['EMAIL', 'NAME', 'ROLE'], rows), json: members }
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

const resetFactor = (runtime: CliRuntime) =>
  newTeamCommand('reset-second-factor')
    .description('Remove the second factor of a member who has lost it, and end their sessions')
    .requiredOption('--email <address>', 'email address of the member')
    .action(
      databaseAction(runtime, async (context, { team, email }) => {
        const ctx = await teamContext(context, team)
        const [member] = await findMembersByEmail(ctx.sql, ctx.actor.teamId, [email])
        if (!member?.account_id) throw notFound(`The account of ${email}`)
        await resetSecondFactor(ctx, {
          accountId: member.account_id,
          subject: `${member.name} (${member.email})`,
        })
        const text = `${member.name} signs in with the password alone until a second factor is set up again.`
        return { text, json: { email: member.email } }
      }),
    )
