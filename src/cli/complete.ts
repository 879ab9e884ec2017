import type { RootCommand } from '@bomb.sh/tab'
import completionOf from '@bomb.sh/tab/commander'
import { Argument, Command } from '@commander-js/extra-typings'
import type { Command as UntypedCommand } from 'commander'

/** `tidings complete <shell>` prints a script; the script then calls `tidings complete -- <words>`. */
export const completeCommand = (executable: string, commands: () => Command) =>
  new Command('complete')
    .description('Print a script that adds completion of commands and options to a shell')
    .addArgument(
      new Argument('<shell>', 'shell that runs the script').choices([
        'bash',
        'zsh',
        'fish',
        'powershell',
      ]),
    )
    .action((shell) => completionOf(untyped(commands())).setup('tidings', executable, shell))

/** True when a completion script makes this call, and not a person. */
export const isCompletionRequest = ([command, separator]: readonly string[]): boolean =>
  command === 'complete' && separator === '--'

/** Prints the words that can follow the typed ones; the last one can be incomplete. */
export function printCompletions(
  commands: Command,
  slugs: readonly string[],
  words: readonly string[],
): void {
  const completion = completionOf(untyped(commands))
  addAdapterSlugs(completion, slugs)
  completion.parse([...words])
}

/** The extra typings are types only: at run time every command is commander's own. */
const untyped = (command: Command) => command as unknown as UntypedCommand

/** Adapters are read from folders, so commander does not know their slugs. */
function addAdapterSlugs({ commands }: RootCommand, slugs: readonly string[]): void {
  const completeSlug = (complete: (value: string, description: string) => void) => {
    for (const slug of slugs) complete(slug, '')
  }
  const option = commands.get('connection create')?.options.get('adapter')
  if (option) option.handler = completeSlug
  const argument = commands.get('adapter try')?.arguments.get('adapter')
  if (argument) argument.handler = completeSlug
}
