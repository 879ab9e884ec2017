import { recordAudit } from '../features/audit/index.ts'
import {
  addMember,
  listMembers,
  type Member,
  NewMember,
  removeMember,
} from '../features/people/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import { parseInput } from '../lib/parse.ts'
import { type Command, commandLine, table, teamOption as team } from './command.ts'

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

export const memberCommands = [add, list, remove]
