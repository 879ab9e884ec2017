import { Command } from '@commander-js/extra-typings'
import { type CliRuntime, newCommand, printOutput } from './command.ts'

/** `tidings secret …` */
export const secretCommand = (runtime: CliRuntime) =>
  new Command('secret')
    .description('Manage the secret of the installation')
    .addCommand(rotate(runtime))
    .addCommand(replace(runtime))

const rotate = (runtime: CliRuntime) =>
  newCommand('rotate')
    .description('Encrypt everything that is stored with a new secret; the service must be stopped')
    .action(async (options) => {
      const { reencrypted, unreadable } = await runtime.rotateSecret()
      const text = [
        `The installation has a new secret. ${reencrypted} stored values are encrypted with it.`,
        ...(unreadable > 0
          ? [`${unreadable} values could not be read with the old secret and are unchanged.`]
          : []),
        'If TIDINGS_SECRET is set, set it to the value of TIDINGS_NEW_SECRET. Then start the service. Everybody signs in again.',
      ]
      printOutput(runtime, options, { text: text.join('\n'), json: { reencrypted, unreadable } })
    })

const replace = (runtime: CliRuntime) =>
  newCommand('replace')
    .description('Accept a new secret after the old one was lost; connections become unreadable')
    .action(async (options) => {
      await runtime.replaceSecret()
      const text =
        'The database now belongs to the present secret. Remove every connection that "tidings connection list" shows as unreadable, and create it again.'
      printOutput(runtime, options, { text, json: { replaced: true } })
    })
