import { Command, type CommandUnknownOpts, Help, type Option } from '@commander-js/extra-typings'
import { loadAdapters } from '../../integrations/index.ts'
import { adapterCommand } from './adapters.ts'
import { backupCommand, restoreCommand } from './backup.ts'
import type { CliRuntime } from './command.ts'
import { completeCommand, isCompletionRequest, printCompletions } from './complete.ts'
import { deliveryCommand } from './connections/deliveries.ts'
import { connectionCommand } from './connections/index.ts'
import { demoCommand } from './demo.ts'
import { doctorCommand } from './doctor.ts'
import { keyCommand } from './keys.ts'
import { memberCommand } from './members/index.ts'
import { migrateCommand } from './migrate.ts'
import { secretCommand } from './secret.ts'
import { teamCommand } from './teams.ts'

export type { CliContext, CliRuntime } from './command.ts'

/** The name and the arguments of the program. */
interface Call {
  /** Shell words that run this program, for completion scripts. */
  executable: string
  version: string
  args: readonly string[]
}

/** Runs one command. Throws `CommanderError` for a wrong call, and the command's own errors. */
export async function runCli(
  runtime: CliRuntime,
  { executable, version, args }: Call,
): Promise<void> {
  if (isCompletionRequest(args)) {
    const words = args.slice(2)
    // Loading the adapters takes longer than the rest of the call.
    const slugs = words.some((word) => word.endsWith('adapter')) ? await adapterSlugs() : []
    printCompletions(allCommands(runtime), slugs, words)
    return
  }
  const program = allCommands(runtime)
    .version(version, '--version', 'print the version')
    .addCommand(completeCommand(executable, () => allCommands(runtime)))
  forEachCommand(program, (command) => {
    command.configureOutput({ writeOut: runtime.write, writeErr: runtime.writeError })
    improveErrors(command)
  })
  program.configureHelp({ formatHelp: formatOverview })
  if (args.length === 0) program.outputHelp()
  else await program.parseAsync(args, { from: 'user' })
}

const adapterSlugs = async () => [...(await loadAdapters()).keys()]

const allCommands = (runtime: CliRuntime) =>
  new Command('tidings')
    .description('Manage a Tidings installation, with or without a running service.')
    .addCommand(teamCommand(runtime))
    .addCommand(memberCommand(runtime))
    .addCommand(keyCommand(runtime))
    .addCommand(adapterCommand(runtime))
    .addCommand(connectionCommand(runtime))
    .addCommand(deliveryCommand(runtime))
    .addCommand(demoCommand(runtime))
    .addCommand(migrateCommand(runtime))
    .addCommand(doctorCommand(runtime))
    .addCommand(secretCommand(runtime))
    .addCommand(backupCommand(runtime))
    .addCommand(restoreCommand(runtime))

function forEachCommand(
  command: CommandUnknownOpts,
  change: (command: CommandUnknownOpts) => void,
): void {
  change(command)
  for (const child of command.commands) forEachCommand(child, change)
}

/**
 * Reports a misspelled option before a missing one, and every missing option at once. Commander
 * checks required options first and stops at the first one.
 */
function improveErrors(command: CommandUnknownOpts): void {
  const required = command.options.filter(({ mandatory }) => mandatory)
  for (const option of required) option.mandatory = false
  const words = command.registeredArguments.map((argument) => `<${argument.name()}>`)
  if (command.commands.length === 0) {
    command.usage([...words, ...required.map(({ flags }) => flags), '[options]'].join(' '))
  }
  command
    .exitOverride()
    .showHelpAfterError(`See \`${pathOf(command)} --help\`.`)
    .hook('preAction', () => requireOptions(command, required))
}

function requireOptions(command: CommandUnknownOpts, required: readonly Option[]): void {
  const missing = required
    .filter((option) => command.getOptionValue(option.attributeName()) === undefined)
    .map(({ long }) => long)
  if (missing.length === 0) return
  const verb = missing.length === 1 ? 'is' : 'are'
  command.error(`error: ${missing.join(' and ')} ${verb} required`, {
    code: 'commander.missingMandatoryOptionValue',
  })
}

/** The help of the program: it lists all commands, without the groups that only contain others. */
const formatOverview = (program: CommandUnknownOpts, help: Help): string =>
  new Help().formatHelp(
    program,
    Object.assign(help, { visibleCommands: leavesOf, subcommandTerm: termOf }),
  )

const leavesOf = ({ commands }: CommandUnknownOpts): CommandUnknownOpts[] =>
  commands.flatMap((command) => (command.commands.length === 0 ? [command] : leavesOf(command)))

/** `team create` or `adapter try <adapter> <file>`. */
function termOf(command: CommandUnknownOpts): string {
  const words = command.registeredArguments.map((argument) => `<${argument.name()}>`)
  return [...pathOf(command).split(' ').slice(1), ...words].join(' ')
}

/** `tidings team create`. */
const pathOf = (command: CommandUnknownOpts): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
