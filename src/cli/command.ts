import type { Config } from '../config.ts'
import type { Actor } from '../features/audit/index.ts'
import type { Now } from '../lib/clock.ts'
import type { DatabaseAddress, Sql } from '../lib/db.ts'
import type { Vault } from '../lib/secrets.ts'

/** What commands work with; opened for the run of one command. */
export interface CliContext {
  sql: Sql
  now: Now
  config: Config
  database: DatabaseAddress
  vault: Vault
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

/** `tidings <noun> <verb>`. */
export interface Command {
  noun: string
  verb: string
  summary: string
  options: Record<string, Option>
  run(context: CliContext, values: Values): Promise<Output>
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
