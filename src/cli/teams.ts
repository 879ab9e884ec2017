import { createTeam, listTeams, NewTeam } from '../features/teams/index.ts'
import { parseInput } from '../lib/parse.ts'
import { type Command, table } from './command.ts'

const create: Command = {
  noun: 'team',
  verb: 'create',
  summary: 'Make a team',
  options: {
    slug: { type: 'string', required: true, describe: 'short name for commands, such as acme' },
    name: { type: 'string', required: true, describe: 'name that people read' },
  },
  async run({ sql, now }, values) {
    const input = parseInput(NewTeam, { slug: values.text('slug'), name: values.text('name') })
    const team = await createTeam(sql, now, input)
    return { text: `Made the team ${team.name} (${team.slug}).`, json: team }
  },
}

const list: Command = {
  noun: 'team',
  verb: 'list',
  summary: 'List the teams',
  options: {},
  async run({ sql }) {
    const teams = await listTeams(sql)
    const rows = teams.map(({ slug, name }) => [slug, name])
    return { text: table(['SLUG', 'NAME'], rows), json: teams }
  },
}

export const teamCommands = [create, list]
