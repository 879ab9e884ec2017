import { Command } from '@commander-js/extra-typings'
import type * as v from 'valibot'
import { recordAudit } from '../features/audit-log/index.ts'
import { createTeam, listTeams, NewTeam, type Team } from '../features/teams/index.ts'
import { inTransaction } from '../lib/context.ts'
import { parseInput } from '../lib/parse.ts'
import {
  type CliContext,
  type CliRuntime,
  databaseAction,
  newCommand,
  table,
  withCommandLine,
} from './command.ts'

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
        const team = await createTeamOnCommandLine({ sql, now }, { slug, name })
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

/** Creates a team with its audit log entry. Throws `validation_failed`. */
export async function createTeamOnCommandLine(
  context: Pick<CliContext, 'sql' | 'now'>,
  input: v.InferInput<typeof NewTeam>,
): Promise<Team> {
  return await inTransaction(context, async (within) => {
    const team = await createTeam(within, parseInput(NewTeam, input))
    await recordAudit(withCommandLine(within, team.id), 'team_created', team.name)
    return team
  })
}
