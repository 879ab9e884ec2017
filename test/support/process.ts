import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './test-run.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** The service as it is started on a machine, in a process and a data folder of its own. */
export interface ServiceProcess {
  process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  port: number
  /** Everything it has printed so far, to standard output and standard error. */
  printed(): string
  exited: Promise<number>
}

/** A data folder that PostgreSQL's own user can enter under root, where the tests may run. */
export async function createDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await temporaryFolder('service')
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/**
 * Starts the service; it is not ready yet. `closeOutput` makes all it prints fail, as a full disk does.
 * `script` is another entry point.
 */
export function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
  { closeOutput = false, script = main } = {},
): ServiceProcess {
  const port = Number(env['PORT'] ?? freePort())
  const service = Bun.spawn(['bun', script], {
    env: { ...Bun.env, DATABASE_URL: '', DATA_DIR: dataDir, PORT: String(port), ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const streams = [service.stdout, service.stderr]
  const texts = closeOutput ? [] : streams.map(readAll)
  if (closeOutput) for (const stream of streams) void stream.cancel()
  const printed = () => texts.map((text) => text()).join('')
  return { process: service, port, printed, exited: service.exited }
}

function freePort(): number {
  const probe = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port = 0 } = probe
  probe.stop(true)
  return port
}

/** Reads a stream to its end; returns what has come so far. */
function readAll(stream: ReadableStream<Uint8Array>): () => string {
  let text = ''
  const reading = async () => {
    for await (const chunk of stream) text += Buffer.from(chunk).toString()
  }
  void reading()
  return () => text
}
