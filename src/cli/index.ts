import { parseArgs } from 'node:util'
import { invalidField } from '../lib/errors.ts'
import type { Command, Values } from './command.ts'
import { connectionCommands } from './connections.ts'
import { deliveryCommands } from './deliveries.ts'
import { keyCommands } from './keys.ts'
import { memberCommands } from './members.ts'
import { teamCommands } from './teams.ts'

const commands: readonly Command[] = [
  ...teamCommands,
  ...memberCommands,
  ...keyCommands,
  ...connectionCommands,
  ...deliveryCommands,
]

/** How to call it, one line a command. */
export function usage(): string {
  const lines = commands.map(({ noun, verb, options, summary }) => {
    const parts = Object.entries(options).map(([name, { type, required }]) => {
      const part = type === 'boolean' ? `--${name}` : `--${name} …`
      return required ? part : `[${part}]`
    })
    return `  tidings ${[noun, verb, ...parts].join(' ')}\n      ${summary}`
  })
  return `Usage (add --json for programs):\n${lines.join('\n')}\n`
}

/** The command that the first words name. */
export function findCommand(args: readonly string[]): { command: Command; rest: string[] } | null {
  const [noun, verb, ...rest] = args
  const command = commands.find((one) => one.noun === noun && one.verb === (verb ?? ''))
  return command ? { command, rest } : null
}

/** The options of a call. Throws `validation_failed` for a missing or unknown one. */
export function parseOptions(command: Command, args: string[]): { values: Values; json: boolean } {
  const parsed: Record<string, unknown> = parseStrictly(command, args).values
  const given = (name: string) => parsed[name]
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && given(name) === undefined) {
      throw invalidField(`/${name}`, `--${name} is required`, 'required')
    }
  }
  const texts = (name: string) => [given(name)].flat().filter((value) => typeof value === 'string')
  return {
    json: given('json') === true,
    values: {
      text: (name) => texts(name)[0] ?? '',
      optionalText: (name) => texts(name)[0],
      texts,
      flag: (name) => given(name) === true,
    },
  }
}

function parseStrictly(command: Command, args: string[]) {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type }]) => [
      name,
      { type: type === 'boolean' ? type : ('string' as const), multiple: type === 'strings' },
    ]),
  )
  try {
    return parseArgs({ args, options: { ...options, json: { type: 'boolean' } }, strict: true })
  } catch (error) {
    throw invalidField('/', error instanceof Error ? error.message : String(error))
  }
}
