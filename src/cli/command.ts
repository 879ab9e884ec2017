import { Command } from '@commander-js/extra-typings'
import type { Logger } from 'pino'
import type { Config } from '../config/index.ts'
import type { ImageStorage } from '../features/images/index.ts'
import type { RotationResult } from '../features/installation/index.ts'
import { getTeamBySlug } from '../features/teams/index.ts'
import type { Restored } from '../installation/restore-backup.ts'
import type { Now } from '../lib/clock.ts'
import { type Context, commandLine, systemContext } from '../lib/context.ts'
import type { DatabaseAddress, Sql } from '../lib/database/db.ts'
import { invalidField } from '../lib/errors.ts'
import type { Encryption } from '../lib/secrets/encryption.ts'

/** The dependencies of a command, opened for one run. */
export interface CliContext {
  sql: Sql
  now: Now
  config: Config
  database: DatabaseAddress
  /** Names of the migrations that were applied when the database was opened. */
  migrated: readonly string[]
  encryption: Encryption
  /** The files of images. */
  storage: ImageStorage
  /** The installation's secret. */
  secret: string
  log: Logger
}

/** What the commands need from the process that runs them. */
export interface CliRuntime {
  /** Runs the work on the service's database, and closes the database afterwards. */
  withDatabase<Result>(work: (context: CliContext) => Promise<Result>): Promise<Result>
  /** Accepts the present secret of the installation to replace a lost one. */
  replaceSecret(): Promise<void>
  /** Encrypts everything that is stored with a new secret. */
  rotateSecret(): Promise<RotationResult>
  /** Restores a backup into the empty installation of the settings. */
  restore(path: string): Promise<Restored>
  /** The exit code of a command that succeeds; 0 unless it is set. */
  setExitCode(code: number): void
  /** Writes to standard output. */
  write(text: string): void
  /** Writes to standard error. */
  writeError(text: string): void
}

/** What a command prints: `text` for people, `json` for programs. */
export interface Output {
  text: string
  json: unknown
}

/** A command with the options that every command has. Settings of the program are inherited later. */
export const newCommand = (name: string) =>
  new Command(name).option('--json', 'print JSON, for programs')

/** A command that works within a team. */
export const newTeamCommand = (name: string) =>
  newCommand(name).requiredOption('--team <slug>', 'slug of the team')

/** Prints the output in the format that the options ask for. */
export function printOutput({ write }: CliRuntime, { json }: { json?: true }, output: Output) {
  write(`${json ? JSON.stringify(output.json, null, 2) : output.text}\n`)
}

/** An action that works on the database and prints its output. */
export function databaseAction<Options extends { json?: true }>(
  runtime: CliRuntime,
  work: (context: CliContext, options: Options) => Promise<Output>,
): (options: Options) => Promise<void> {
  return async (options) => {
    const output = await runtime.withDatabase((context) => work(context, options))
    printOutput(runtime, options, output)
  }
}

/** Collects all values of an option that can be repeated, in their order. */
export const collect = (value: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  value,
]

/** A context whose actor is the command line. */
export const withCommandLine = <Base extends Pick<CliContext, 'sql' | 'now'>>(
  context: Base,
  teamId: string,
): Base & Context => systemContext(context, teamId, commandLine)

/** The context of a command that works within a team. Throws `not_found` for an unknown slug. */
export async function teamContext<Base extends Pick<CliContext, 'sql' | 'now'>>(
  context: Base,
  slug: string,
): Promise<Base & Context> {
  const { id } = await getTeamBySlug(context.sql, slug)
  return withCommandLine(context, id)
}

/** Rows under a header, in columns as wide as their widest cell. */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
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

/**
 * Settings from `name=value` pairs; a name that is given twice has both values, as during a
 * rotation of a secret.
 */
export function settingsFrom(pairs: readonly string[] = []): Record<string, string | string[]> {
  const settings: Record<string, string | string[]> = {}
  for (const [name, value] of pairsOf('set', pairs)) {
    const earlier = settings[name]
    settings[name] = earlier === undefined ? value : [earlier, value].flat()
  }
  return settings
}

/** Headers from `name=value` pairs, by their names in lower case. */
export const headersFrom = (pairs: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(pairsOf('header', pairs).map(([name, value]) => [name.toLowerCase(), value]))

function pairsOf(option: string, pairs: readonly string[]): [string, string][] {
  return pairs.map((pair) => {
    const at = pair.indexOf('=')
    if (at < 1) {
      throw invalidField(`/${option}`, `--${option} expects name=value, but "${pair}" has no name`)
    }
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
}
