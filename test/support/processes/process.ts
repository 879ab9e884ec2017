import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../run/test-run.ts'

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url))
const drainUntilSignal = fileURLToPath(new URL('drain-until-signal.ts', import.meta.url))
const extendTimeLimits = fileURLToPath(new URL('../run/extend-time-limits.ts', import.meta.url))

/** The service as it is started on a machine, in a process and a data folder of its own. */
export interface ServiceProcess {
  process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
  /** Everything it has printed so far, to standard output and standard error. */
  printed(): string
  /** Returns the first match in what it prints. Throws when it ends without printing one. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Returns its URL once it is ready. Throws when it ends before. */
  ready(): Promise<string>
  /** Its URL since it was ready the last time, or null. */
  url(): string | null
  /** Makes everything that it prints from now on fail, as a full disk does. */
  closeOutput(): Promise<void>
  /** Reads nothing that it prints until `resumeOutput`, as a log collector that does not respond. */
  pauseOutput(): void
  resumeOutput(): void
  exited: Promise<number>
}

/** A data folder that PostgreSQL's own user can enter under root, where the tests may run. */
export async function createDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await temporaryFolder('service')
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

/**
 * The environment of a process that is not to see the settings of whoever runs the tests, except those with
 * which `test/run.ts` saves CPU time.
 */
export const systemEnvironment = Object.fromEntries(
  ['PATH', 'HOME', 'TMPDIR', 'BUN_JSC_useFTLJIT', 'MIMALLOC_PURGE_DELAY'].flatMap((name) => {
    const value = Bun.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

/**
 * Starts the service on a free port; it is not ready yet. `script` is another entry point. Its time
 * limits last longer than any test, unless `hasTimeLimits` is set. It does not drain, unless `drains` is
 * set: then until SIGUSR2.
 */
export function startProcess(
  dataDir: string,
  env: Record<string, string> = {},
  { script = main, hasTimeLimits = false, drains = false } = {},
): ServiceProcess {
  const preloaded = [
    ...(hasTimeLimits ? [] : [extendTimeLimits]),
    ...(drains ? [drainUntilSignal] : []),
  ]
  const options = preloaded.flatMap((path) => ['--preload', path])
  // The longest drain, in which the signal is sent.
  const DRAIN_SECONDS = drains ? '60' : '0'
  const service = Bun.spawn(['bun', ...options, script], {
    env: { ...systemEnvironment, DATA_DIR: dataDir, PORT: '0', DRAIN_SECONDS, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = collectOutput([service.stdout, service.stderr])
  const url = () => {
    const ports = [...output.text().matchAll(/"port":(\d+).*"msg":"ready"/g)]
    return ports.length === 0 ? null : `http://127.0.0.1:${ports.at(-1)?.[1]}`
  }
  return {
    process: service,
    printed: output.text,
    prints: output.match,
    async ready() {
      await output.match(/"msg":"ready"/)
      await output.match(/Tidings is ready/)
      return url() ?? ''
    },
    url,
    closeOutput: output.close,
    pauseOutput: output.pause,
    resumeOutput: output.resume,
    exited: service.exited,
  }
}

/** Reads streams to their ends. */
function collectOutput(streams: ReadableStream<Uint8Array>[]) {
  let text = ''
  let change = Promise.withResolvers<void>()
  let paused: PromiseWithResolvers<void> | null = null
  const readers = streams.map((stream) => stream.getReader())
  const read = async (reader: (typeof readers)[number]) => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      text += Buffer.from(part.value).toString()
      change.resolve()
      change = Promise.withResolvers()
      await paused?.promise
    }
  }
  const ended = Promise.all(readers.map(read)).then(() => true)
  return {
    text: () => text,
    async match(pattern: RegExp): Promise<RegExpExecArray> {
      for (let over = false; ; ) {
        const match = pattern.exec(text)
        if (match) return match
        if (over) throw new Error(`${pattern} was not printed, but:\n${text}`)
        over = await Promise.race([change.promise.then(() => false), ended])
      }
    },
    pause() {
      paused = Promise.withResolvers()
    },
    resume() {
      paused?.resolve()
      paused = null
    },
    async close() {
      await Promise.all(readers.map((reader) => reader.cancel()))
    },
  }
}
