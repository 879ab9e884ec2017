import { fileURLToPath } from 'node:url'
import { CommanderError } from '@commander-js/extra-typings'
import packageJson from '../package.json' with { type: 'json' }
import { type CliContext, type CliRuntime, runCli } from './cli/index.ts'
import { loadConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { systemClock } from './lib/clock.ts'
import { connect } from './lib/db.ts'
import { createEncryption } from './lib/encryption.ts'
import { createLog } from './lib/log.ts'
import { restoreBackup } from './restore.ts'
import { replaceSecret, requireSecret } from './secret.ts'

const runtime: CliRuntime = {
  withDatabase: (work) =>
    withConnection(async (connection) => {
      const secret = await requireSecret(connection.sql, connection.config)
      return await work({ ...connection, secret, vault: createEncryption(secret) })
    }),
  replaceSecret: () =>
    withConnection(async ({ sql, config }) => void (await replaceSecret(sql, config))),
  restore: (path) =>
    restoreBackup(loadConfig(process.env), createLog('warn', process.stderr), path),
  write: (text) => process.stdout.write(text),
}

/** Opens the service's database for one command; starts the embedded PostgreSQL when it does not run. */
async function withConnection<Result>(
  work: (connection: Omit<CliContext, 'secret' | 'vault'>) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(process.env)
  const log = createLog('warn', process.stderr)
  const database = await openDatabase(config, log)
  const sql = connect(database.address, { name: 'tidings command', max: 2 })
  try {
    const { address, migrated } = database
    return await work({ sql, now: systemClock, config, database: address, migrated, log })
  } finally {
    await sql.end({ timeout: 5 })
    await database.close()
  }
}

/** 0 for help and version, 2 for an unknown or incomplete command, 1 for every other error. */
function exitCodeOf(error: unknown): number {
  if (!(error instanceof CommanderError)) return 1
  if (error.exitCode === 0) return 0
  return ['commander.unknownCommand', 'commander.help'].includes(error.code) ? 2 : 1
}

try {
  const executable = `'${process.execPath}' '${fileURLToPath(import.meta.url)}'`
  await runCli(runtime, { executable, version: packageJson.version, args: process.argv.slice(2) })
} catch (error) {
  // Commander has printed its own errors.
  if (!(error instanceof CommanderError)) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : String(error)}\n`)
  }
  process.exitCode = exitCodeOf(error)
}
