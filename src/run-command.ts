import { fileURLToPath } from 'node:url'
import { CommanderError } from '@commander-js/extra-typings'
import packageJson from '../package.json' with { type: 'json' }
import { type CliContext, type CliRuntime, runCli } from './cli/index.ts'
import { loadConfig } from './config/index.ts'
import { imageStorageOf } from './installation/image-storage.ts'
import { openDatabase } from './installation/open-database.ts'
import { restoreBackup } from './installation/restore-backup.ts'
import { replaceSecret, requireSecret, rotateSecret } from './installation/secret.ts'
import { systemClock } from './lib/clock.ts'
import { connect } from './lib/database/db.ts'
import { createLog } from './lib/log.ts'
import { createEncryption } from './lib/secrets/encryption.ts'

const script = fileURLToPath(new URL('cli.ts', import.meta.url))

/** The parts of the process that a command uses. */
export interface CommandProcess {
  env: Record<string, string | undefined>
  /** Writes to standard output. */
  write(text: string): void
  /** Writes to standard error. */
  writeError(text: string): void
}

/**
 * Runs `tidings` with these arguments; prints errors. Returns the exit code: 0 also for help and
 * version, 2 for an unknown or incomplete command, 1 for every other error; `doctor` sets its own.
 */
export async function runCommand(caller: CommandProcess, args: readonly string[]): Promise<number> {
  const executable = `'${process.execPath}' '${script}'`
  try {
    let exitCode = 0
    const runtime = runtimeOf(caller, (code) => {
      exitCode = code
    })
    await runCli(runtime, { executable, version: packageJson.version, args })
    return exitCode
  } catch (error) {
    // Commander has printed its own errors.
    if (error instanceof CommanderError) return exitCodeOf(error)
    caller.writeError(`error: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

function exitCodeOf({ exitCode, code }: CommanderError): number {
  if (exitCode === 0) return 0
  return ['commander.unknownCommand', 'commander.help'].includes(code) ? 2 : 1
}

const runtimeOf = (caller: CommandProcess, setExitCode: CliRuntime['setExitCode']): CliRuntime => ({
  setExitCode,
  withDatabase: (work) =>
    withConnection(caller, async (connection) => {
      const secret = await requireSecret(connection, connection.config)
      return await work({ ...connection, secret, encryption: createEncryption(secret) })
    }),
  replaceSecret: () =>
    withConnection(caller, async (connection) => {
      await replaceSecret(connection, connection.config)
    }),
  rotateSecret: () =>
    withConnection(caller, (connection) => rotateSecret(connection, connection.config), {
      name: 'tidings secret rotation',
      max: 1,
    }),
  restore: (path) => restoreBackup(loadConfig(caller.env), logOf(caller), path),
  write: caller.write,
  writeError: caller.writeError,
})

const logOf = ({ writeError }: CommandProcess) => createLog('warn', { write: writeError })

/**
 * Opens the service's database for one command; starts the embedded PostgreSQL when it does not
 * run.
 */
async function withConnection<Result>(
  caller: CommandProcess,
  work: (connection: Omit<CliContext, 'secret' | 'encryption'>) => Promise<Result>,
  pool = { name: 'tidings command', max: 2 },
): Promise<Result> {
  const config = loadConfig(caller.env)
  const log = logOf(caller)
  const database = await openDatabase(config, log)
  const sql = connect(database.address, pool)
  try {
    const { address, migrated } = database
    return await work({
      sql,
      now: systemClock,
      config,
      database: address,
      migrated,
      log,
      storage: imageStorageOf(config),
    })
  } finally {
    await sql.end({ timeout: 5 })
    await database.close()
  }
}
