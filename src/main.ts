import { type Config, loadConfig } from './config/index.ts'
import { createLog, createLogOutput } from './lib/log.ts'
import { onParentExit } from './lib/parent-process.ts'
import { type Service, startService } from './service.ts'

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

// Slack's library uses a deprecated function of Node, whose warning operators can do nothing about.
process.noDeprecation = true

const config = settings()
const output = createLogOutput(process.stdout)
process.on('exit', () => output.flush())
const log = createLog(config.logLevel, output)
// A closed terminal must not end the service.
process.stderr.on('error', () => {})

/** How long a reader of the log may take for its last lines. */
const lastLinesMs = 2_000

/** Ends the process when the last lines of the log are written. */
async function exit(code: number): Promise<never> {
  await output.finish(lastLinesMs)
  process.exit(code)
}

const starting = startService(config, log, (holder) => {
  log.fatal({ holder }, 'another service uses the database now')
  void exit(1)
})

let stopping = false
/** Also stops a service that is still starting: otherwise its PostgreSQL would keep running. */
async function stop(reason: string, exitCode = 0): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ reason }, 'stopping')
  const service = await starting.catch(fail)
  await service.stop().then(
    () => log.info('stopped'),
    (error: unknown) => log.error({ err: error }, 'not stopped cleanly'),
  )
  await exit(exitCode)
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const) {
  process.on(signal, () => void stop(signal))
}
// npm and npx pass their settings on in environment variables.
if (process.env['npm_config_userconfig'] !== undefined) {
  onParentExit(() => void stop('the command that started the service has ended'))
}
process.on('uncaughtException', (error) => {
  log.fatal({ err: error }, 'uncaught error')
  void stop('uncaught error', 1)
})
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

const service = await starting.catch(fail)
if (!stopping) announce(service)

function announce({ port, metricsPort, setupLink }: Service): void {
  const { baseUrl } = config
  log.info({ port, baseUrl, ...(metricsPort !== null && { metricsPort }) }, 'ready')
  process.stderr.write(`
Tidings is ready on ${config.baseUrl}

${setupLink ? `  Set it up      ${setupLink}\n` : ''}  Documentation  ${config.baseUrl}/docs
  Create a team  npx bun run tidings team create --slug acme --name "Acme"
  Create a key   npx bun run tidings key create --team acme --name "first steps" --scopes read,write

`)
}
