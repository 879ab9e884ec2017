import { Command } from '@commander-js/extra-typings'
import { createTeam, listTeams, NewTeam } from '../features/teams/index.ts'
import { parseInput } from '../lib/parse.ts'
import { type CliRuntime, databaseAction, newCommand, table } from './command.ts'

/** `tidings team …` */
export const teamCommand = (runtime: CliRuntime) =>
  new Command('team')
    .description('Create and list teams')
    .addCommand(create(runtime))
    .addCommand(list(runtime))

const create = (runtime: CliRuntime) =>
  newCommand('create')
    .description('Create a team')
    .requiredOption('--slug <slug>', 'short name for commands, such as acme')
    .requiredOption('--name <name>', 'name that people read')
    .action(
      databaseAction(runtime, async ({ sql, now }, { slug, name }) => {
        const team = await createTeam(sql, now, parseInput(NewTeam, { slug, name }))
        return { text: `Created the team ${team.name} (${team.slug}).`, json: team }
      }),
    )

const list = (runtime: CliRuntime) =>
  newCommand('list')
    .description('List the teams')
    .action(
      databaseAction(runtime, async ({ sql }) => {
        const teams = await listTeams(sql)
        const rows = teams.map(({ slug, name }) => [slug, name])
        return { text: table(['SLUG', 'NAME'], rows), json: teams }
      }),
    )
