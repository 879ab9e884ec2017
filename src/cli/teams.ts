import { Command } from '@commander-js/extra-typings'
import { TeamChange } from '../contract/team.ts'
import { archiveModes, languages } from '../contract/vocabulary.ts'
import { recordAudit } from '../features/audit-log/index.ts'
import {
  createTeam,
  getTeamBySlug,
  listTeams,
  NewTeam,
  type Team,
  updateTeam,
} from '../features/teams/index.ts'
import { inTransaction } from '../lib/context.ts'
import { parseInput } from '../lib/parse.ts'
import {
  type CliContext,
  type CliRuntime,
  databaseAction,
  formatTable,
  newCommand,
  withCommandLine,
} from './command.ts'

const languageHelp = `language of the texts that Tidings adds: ${languages.join(', ')}`

/** `tidings team …` */
export const teamCommand = (runtime: CliRuntime) =>
  new Command('team')
    .description('Create, change and list teams')
    .addCommand(create(runtime))
    .addCommand(set(runtime))
    .addCommand(list(runtime))

const create = (runtime: CliRuntime) =>
  newCommand('create')
    .description('Create a team')
    .requiredOption('--slug <slug>', 'short name for commands, such as acme')
    .requiredOption('--name <name>', 'name that people read')
    .option('--language <code>', languageHelp)
    .action(
      databaseAction(runtime, async ({ sql, now }, { slug, name, language }) => {
        const team = await createTeamOnCommandLine({ sql, now }, { slug, name, language })
        return { text: `Created the team ${team.name} (${team.slug}).`, json: team }
      }),
    )

const set = (runtime: CliRuntime) =>
  newCommand('set')
    .description('Change a team')
    .requiredOption('--team <slug>', 'slug of the team')
    .option('--name <name>', 'name that people read')
    .option('--language <code>', languageHelp)
    .option('--archive <mode>', `who can read sent newsletters: ${archiveModes.join(', ')}`)
    .option('--tone <text>', 'how texts sound that the AI writes')
    .option('--avoid <words>', 'words that the AI does not use, with commas')
    .action(
      databaseAction(runtime, async ({ sql, now }, { team: slug, avoid, ...options }) => {
        const { id } = await getTeamBySlug(sql, slug)
        const words_to_avoid = avoid === undefined ? undefined : wordsIn(avoid)
        const { name, language, archive, tone } = options
        const change = parseInput(TeamChange, { name, language, archive, tone, words_to_avoid })
        await updateTeam(withCommandLine({ sql, now }, id), change)
        const team = await getTeamBySlug(sql, slug)
        return { text: `Changed the team ${team.name} (${team.slug}).`, json: team }
      }),
    )

const wordsIn = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

const list = (runtime: CliRuntime) =>
  newCommand('list')
    .description('List the teams')
    .action(
      databaseAction(runtime, async ({ sql }) => {
        const teams = await listTeams(sql)
        const rows = teams.map(({ slug, name, language }) => [slug, name, language])
        return { text: formatTable(['SLUG', 'NAME', 'LANGUAGE'], rows), json: teams }
      }),
    )

/** Creates a team with its audit log entry. Throws `validation_failed`. */
export async function createTeamOnCommandLine(
  context: Pick<CliContext, 'sql' | 'now'>,
  input: { slug: string; name: string; language?: string | undefined },
): Promise<Team> {
  return await inTransaction(context, async (txCtx) => {
    const team = await createTeam(txCtx, parseInput(NewTeam, input))
    await recordAudit(withCommandLine(txCtx, team.id), 'team_created', team.name)
    return team
  })
}
