import { Command } from '@commander-js/extra-typings'
import { type CliRuntime, newCommand, printOutput } from './command.ts'

/** `tidings secret …` */
export const secretCommand = (runtime: CliRuntime) =>
  new Command('secret').description('Manage the secret of the installation').addCommand(
    newCommand('replace')
      .description('Accept a new secret after the old one was lost; connections become unreadable')
      .action(async (options) => {
        await runtime.replaceSecret()
        const text =
          'The database now belongs to the present secret. Remove every connection that "tidings connection list" shows as unreadable, and create it again.'
        printOutput(runtime, options, { text, json: { replaced: true } })
      }),
  )
