import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Actor } from '../features/audit/index.ts'
import type { Now } from '../lib/clock.ts'
import type { DatabaseAddress, Sql } from '../lib/db.ts'
import { invalidField } from '../lib/errors.ts'
import type { Vault } from '../lib/secrets.ts'

/** What commands work with; opened for the run of one command. */
export interface CliContext {
  sql: Sql
  now: Now
  config: Config
  database: DatabaseAddress
  /** Names of the migrations that opening the database has applied. */
  migrated: readonly string[]
  vault: Vault
  /** The installation's secret. */
  secret: string
  log: Logger
}

export interface Option {
  /** `string` takes a value, `strings` may be repeated, `boolean` takes none. */
  type: 'string' | 'strings' | 'boolean'
  required?: boolean
  describe: string
}

/** What a command prints: `text` for people, `json` for programs. */
interface Output {
  text: string
  json: unknown
}

/** The options of one call, parsed: absent ones are missing. */
export interface Values {
  text(name: string): string
  optionalText(name: string): string | undefined
  texts(name: string): string[]
  flag(name: string): boolean
}

/** `tidings <noun> <verb>`, or one word alone. */
interface Named {
  noun: string
  verb?: string
  summary: string
  /** Names of the words that have to follow, in their order; each is a value like an option's. */
  positionals?: readonly string[]
  options: Record<string, Option>
}

export interface Command extends Named {
  offline?: false
  run(context: CliContext, values: Values): Promise<Output>
}

/** A command that needs neither settings nor a database. */
export interface OfflineCommand extends Named {
  offline: true
  run(values: Values): Promise<Output>
}

/** The option of every command that works within a team. */
export const teamOption = {
  type: 'string',
  required: true,
  describe: 'slug of the team',
} as const satisfies Option

/** Who the audit log says it was. */
export const commandLine = (teamId: string): Actor => ({
  teamId,
  name: 'The command line',
  address: null,
})

/** Rows under a header, in columns as wide as they need to be. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const lineOf = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [header, ...rows].map(lineOf).join('\n')
}

/** Settings from `name=value` pairs; a name that is given twice has both values, as in a rotation. */
export function settingsFrom(pairs: readonly string[]): Record<string, string | string[]> {
  const settings: Record<string, string | string[]> = {}
  for (const [name, value] of pairsOf('set', pairs)) {
    const earlier = settings[name]
    settings[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return settings
}

/** Headers from `name=value` pairs, by their names in lower case. */
export const headersFrom = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(pairsOf('header', pairs).map(([name, value]) => [name.toLowerCase(), value]))

function pairsOf(option: string, pairs: readonly string[]): [string, string][] {
  return pairs.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) {
      throw invalidField(`/${option}`, `--${option} takes name=value, and "${pair}" has no name`)
    }
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
}
