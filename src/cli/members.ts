import { recordAudit } from '../features/audit/index.ts'
import {
  addMember,
  findMembersByEmail,
  invitationDays,
  inviteMember,
  listMembers,
  type Member,
  NewMember,
  removeMember,
} from '../features/people/index.ts'
import { createSessions } from '../features/sessions/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { notFound } from '../lib/errors.ts'
import { parseInput } from '../lib/parse.ts'
import { type CliContext, type Command, commandLine, table, teamOption as team } from './command.ts'

const add: Command = {
  noun: 'member',
  verb: 'add',
  summary: 'Add a person to a team',
  options: {
    team,
    email: { type: 'string', required: true, describe: 'where the person gets mail' },
    name: { type: 'string', required: true, describe: 'name that people read' },
    role: { type: 'string', describe: 'admin, editor (default) or viewer' },
  },
  async run({ sql, now }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const role = values.optionalText('role')
    const input = parseInput(NewMember, {
      email: values.text('email'),
      name: values.text('name'),
      ...(role !== undefined && { role }),
    })
    const member = await addMember(sql, now, teamId, input)
    await recordAudit(sql, now, commandLine(teamId), 'member_added', nameOf(member))
    return { text: `Added ${member.name} as ${member.role}.`, json: member }
  },
}

const link: Command = {
  noun: 'member',
  verb: 'link',
  summary: 'Print a link for a person: to join, or to choose a new password',
  options: {
    team,
    email: { type: 'string', required: true, describe: 'address of the member' },
  },
  async run(context, values) {
    const { sql, now, config } = context
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const email = values.text('email')
    const [member] = await findMembersByEmail(sql, teamId, [email])
    if (!member) throw notFound(`The member ${email}`)
    const { path, action, text } = await linkFor(context, teamId, member)
    await recordAudit(sql, now, commandLine(teamId), action, nameOf(member))
    const url = `${config.baseUrl}${path}`
    return { text: `${text}:\n${url}`, json: { email: member.email, url } }
  },
}

/** Who has no account yet joins; whoever has one chooses a new password, and is signed out elsewhere. */
async function linkFor(context: CliContext, teamId: string, { id, account_id }: Member) {
  const { sql, now } = context
  if (account_id === null) {
    const token = await inviteMember(sql, now, teamId, id)
    const text = `To join, once, within ${invitationDays} days`
    return { path: `/join/${token}`, action: 'member_invited', text } as const
  }
  const { baseUrl } = context.config
  const sendReset = async () => {}
  const { log, secret } = context
  const sessions = createSessions({ sql, now, log, baseUrl, secret, sendReset })
  const token = await sessions.makeResetToken(account_id)
  const text = 'To choose a new password, once, within an hour'
  return { path: `/reset/${token}`, action: 'password_link_made', text } as const
}

const list: Command = {
  noun: 'member',
  verb: 'list',
  summary: "List a team's members",
  options: { team },
  async run({ sql }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const members = await listMembers(sql, teamId)
    const rows = members.map(({ email, name, role }) => [email, name, role])
    return { text: table(['EMAIL', 'NAME', 'ROLE'], rows), json: members }
  },
}

const remove: Command = {
  noun: 'member',
  verb: 'remove',
  summary: 'Remove a person from a team',
  options: {
    team,
    email: { type: 'string', required: true, describe: 'address or id of the member' },
  },
  async run({ sql, now }, values) {
    const { id: teamId } = await getTeamBySlug(sql, values.text('team'))
    const email = values.text('email')
    const member = await removeMember(sql, now, teamId, email)
    await recordAudit(sql, now, commandLine(teamId), 'member_removed', nameOf(member))
    return { text: `Removed ${email}.`, json: { email } }
  },
}

const nameOf = ({ name, email }: Member) => `${name} (${email})`

export const memberCommands = [add, link, list, remove]
