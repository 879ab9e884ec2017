import { rm } from 'node:fs/promises'
import * as v from 'valibot'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import type { AiProviderSettings } from '../../../src/features/ai-drafts/index.ts'
import { runCommand } from '../../../src/run-command.ts'
import { startApp, type TestApp, testSecret } from '../app.ts'
import { createDatabase } from '../database/database.ts'
import { temporaryFolder, urlOf } from '../run/test-run.ts'

/** An installation of its own with its service running, for the commands to work beside. */
export interface Installation {
  app: TestApp
  /** Runs `tidings` with these words. */
  tidings(...args: string[]): ReturnType<typeof runTidings>
  /** Runs `tidings` with other environment variables. */
  tidingsWith(env: Record<string, string>, ...args: string[]): ReturnType<typeof runTidings>
  remove(): Promise<void>
}

/** Starts the service on a database of its own. */
export async function install({
  adapters = [],
  forward = true,
  ai = null,
}: {
  adapters?: readonly Adapter[]
  /** Whether deliveries are forwarded; false leaves them waiting. */
  forward?: boolean
  /** The provider of AI drafts. */
  ai?: AiProviderSettings | null
} = {}): Promise<Installation> {
  const dataDir = await temporaryFolder('cli')
  const database = await createDatabase()
  const app = await startApp({ on: { database }, adapters, forward, ai })
  const settings = {
    DATABASE_URL: urlOf(database.address),
    DATA_DIR: dataDir,
    TIDINGS_SECRET: testSecret,
    BASE_URL: 'http://tidings.test',
  }
  return {
    app,
    tidings: (...args) => runTidings(settings, args),
    tidingsWith: (env, ...args) => runTidings({ ...settings, ...env }, args),
    async remove() {
      await app.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** What a command has printed, and its exit code. */
interface Printed {
  code: number
  out: string
  err: string
  /** Standard output as JSON, where the command was asked for it and succeeded. */
  json: unknown
  /** Returns `json` as this schema describes it. Throws when it differs. */
  as<Schema extends v.GenericSchema>(schema: Schema): v.InferOutput<Schema>
}

/** What a command prints about one thing that has a link or an address. */
export const WithUrl = v.looseObject({ url: v.string() })

/** Runs a command in the test process: starting a process for each would take most of the test time. */
export async function runTidings(
  env: Record<string, string>,
  args: readonly string[],
): Promise<Printed> {
  const out: string[] = []
  const err: string[] = []
  const process = {
    env,
    write: (text: string) => void out.push(text),
    writeError: (text: string) => void err.push(text),
  }
  const code = await runCommand(process, args)
  const printed = out.join('')
  const json = args.includes('--json') && code === 0 ? JSON.parse(printed) : null
  const as: Printed['as'] = (schema) => v.parse(schema, json)
  return { code, out: printed, err: err.join(''), json, as }
}
