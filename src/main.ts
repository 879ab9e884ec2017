import { type Config, loadConfig } from './config.ts'
import { createLog } from './lib/log.ts'
import { onParentExit } from './lib/parent-process.ts'
import { startService } from './service.ts'

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

function settings(): Config {
  try {
    return loadConfig(process.env)
  } catch (error) {
    return fail(error)
  }
}

// Slack's library still calls a function that Node is about to drop, and Node says so on the terminal.
process.noDeprecation = true

const config = settings()
const log = createLog(config.logLevel)
const service = await startService(config, log, (holder) => {
  log.fatal({ holder }, 'another service took the database')
  process.exit(1)
}).catch(fail)

let stopping = false
async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'stopping')
  await service.stop()
  log.info('stopped')
  process.exit(0)
}
process.on('SIGTERM', stop)
// npm and npx tell their children where their settings are; Bun alone does not.
if (process.env['npm_config_userconfig'] !== undefined) {
  onParentExit(() => void stop('the command that started it ended'))
}
process.on('SIGINT', stop)
process.on('unhandledRejection', (error) =>
  log.error({ err: error }, 'a failure nobody waited for'),
)

log.info({ port: service.port, baseUrl: config.baseUrl }, 'ready')
process.stderr.write(`
Tidings is ready on ${config.baseUrl}

${service.setupLink ? `  Set it up      ${service.setupLink}\n` : ''}  Documentation  ${config.baseUrl}/docs
  Make a team    npx bun run tidings team create --slug acme --name "Acme"
  Make a key     npx bun run tidings key create --team acme --name "first steps" --scopes read,write

`)
