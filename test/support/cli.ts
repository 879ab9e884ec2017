import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Adapter } from '../../integrations/kit/adapter.ts'
import { openEmbedded } from '../../src/embedded-postgres/index.ts'
import { createLog } from '../../src/lib/log.ts'
import { startApp, type TestApp, testSecret } from './app.ts'
import { temporaryFolder } from './test-run.ts'

const script = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** An installation of its own with its service running, for the commands to work beside. */
export interface Installation {
  app: TestApp
  dataDir: string
  /** Runs `tidings` with these words. */
  tidings(...args: string[]): ReturnType<typeof run>
  /** Runs `tidings` with other environment variables. */
  tidingsWith(env: Record<string, string>, ...args: string[]): ReturnType<typeof run>
  /** What the very first command printed, which was `migrate`. */
  migrated: string
  remove(): Promise<void>
}

/** Makes the database with the first command, then starts the service on it. */
export async function install({
  adapters = [],
  forward = true,
}: {
  adapters?: readonly Adapter[]
  /** Whether deliveries are forwarded; false leaves them waiting. */
  forward?: boolean
} = {}): Promise<Installation> {
  const dataDir = await temporaryFolder('cli')
  const tidings = (...args: string[]) => run(dataDir, args)
  const { out: migrated } = await tidings('migrate')
  const embedded = await openEmbedded({ dataDir, log: createLog('silent') })
  const app = await startApp({
    on: { database: { address: embedded.connection } },
    adapters,
    forward,
  })
  return {
    dataDir,
    app,
    tidings,
    tidingsWith: (env, ...args) => run(dataDir, args, env),
    migrated,
    async remove() {
      await app.close()
      await embedded.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function run(dataDir: string, args: readonly string[], env: Record<string, string> = {}) {
  const process = Bun.spawn(['bun', script, ...args], {
    env: {
      ...Bun.env,
      ...{ DATABASE_URL: '', DATA_DIR: dataDir, TIDINGS_SECRET: testSecret },
      BASE_URL: 'http://tidings.test',
      ...env,
    },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([process.stdout.text(), process.stderr.text()])
  const code = await process.exited
  return { code, out, err, json: args.includes('--json') && code === 0 ? JSON.parse(out) : null }
}
