import type { Command, Values } from './cli/command.ts'
import { findCommand, parseOptions, usage } from './cli/index.ts'
import { loadConfig } from './config.ts'
import { openDatabase } from './database.ts'
import { systemClock } from './lib/clock.ts'
import { connect } from './lib/db.ts'
import { createLog } from './lib/log.ts'
import { createVault, loadOrCreateSecret } from './lib/secrets.ts'

/** Runs one command beside a running service or alone; gives the exit code. */
async function run(args: readonly string[]): Promise<number> {
  const found = findCommand(args)
  if (!found) {
    process.stderr.write(usage())
    return args.length === 0 || args.includes('--help') ? 0 : 2
  }
  const { command } = found
  const { values, json } = parseOptions(command, found.rest)
  const output = command.offline ? await command.run(values) : await runBeside(command, values)
  process.stdout.write(`${json ? JSON.stringify(output.json, null, 2) : output.text}\n`)
  return 0
}

/** Runs a command on the service's database. */
async function runBeside(command: Command, values: Values) {
  const config = loadConfig(process.env)
  const log = createLog('warn', process.stderr)
  const database = await openDatabase(config, log)
  const sql = connect(database.address, { name: 'tidings command', max: 2 })
  try {
    const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir))
    const vault = createVault(secret)
    const { address, migrated } = database
    const context = {
      ...{ sql, now: systemClock, config, database: address, migrated },
      ...{ vault, secret, log },
    }
    return await command.run(context, values)
  } finally {
    await sql.end({ timeout: 5 })
    await database.close()
  }
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
