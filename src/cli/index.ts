import { type ParseArgsConfig, parseArgs } from 'node:util'
import { invalidField } from '../lib/errors.ts'
import { adapterCommands } from './adapters.ts'
import type { Command, OfflineCommand, Values } from './command.ts'
import { connectionCommands } from './connections.ts'
import { deliveryCommands } from './deliveries.ts'
import { demo } from './demo.ts'
import { keyCommands } from './keys.ts'
import { memberCommands } from './members.ts'
import { migrate } from './migrate.ts'
import { teamCommands } from './teams.ts'

const commands: readonly (Command | OfflineCommand)[] = [
  ...teamCommands,
  ...memberCommands,
  ...keyCommands,
  ...adapterCommands,
  ...connectionCommands,
  ...deliveryCommands,
  demo,
  migrate,
]

/** How to call it, one line a command. */
export function usage(): string {
  const lines = commands.map(({ noun, verb, positionals = [], options, summary }) => {
    const words = positionals.map((name) => `<${name}>`)
    const parts = Object.entries(options).map(([name, { type, required }]) => {
      const part = type === 'boolean' ? `--${name}` : `--${name} …`
      return required ? part : `[${part}]`
    })
    const name = verb === undefined ? [noun] : [noun, verb]
    return `  tidings ${[...name, ...words, ...parts].join(' ')}\n      ${summary}`
  })
  return `Usage (add --json for programs):\n${lines.join('\n')}\n`
}

/** The command that the first words name. */
export function findCommand(
  args: readonly string[],
): { command: Command | OfflineCommand; rest: string[] } | null {
  const [noun, verb] = args
  const named = commands.filter((one) => one.noun === noun)
  const command = named.find((one) => one.verb === undefined || one.verb === verb)
  return command ? { command, rest: args.slice(command.verb === undefined ? 1 : 2) } : null
}

/** The options of a call. Throws `validation_failed` for a missing or unknown one. */
export function parseOptions(
  command: Command | OfflineCommand,
  args: string[],
): { values: Values; json: boolean } {
  const parsed = parseStrictly(command, args)
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

function parseStrictly(
  { options: known, positionals: names = [] }: Command | OfflineCommand,
  args: string[],
): Record<string, unknown> {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type }]) => [
      name,
      { type: type === 'boolean' ? type : ('string' as const), multiple: type === 'strings' },
    ]),
  )
  const { values, positionals } = parseWords(args, { ...options, json: { type: 'boolean' } })
  const missing = names[positionals.length]
  if (missing !== undefined)
    throw invalidField(`/${missing}`, `<${missing}> is required`, 'required')
  const excess = positionals[names.length]
  if (excess !== undefined) throw invalidField('/', `"${excess}" is one word too many`)
  return {
    ...values,
    ...Object.fromEntries(names.map((name, index) => [name, positionals[index]])),
  }
}

function parseWords(args: string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true })
  } catch (error) {
    throw invalidField('/', error instanceof Error ? error.message : String(error))
  }
}
