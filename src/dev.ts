import { watch } from 'node:fs'
import { join } from 'node:path'
import { onParentExit } from './lib/parent-process.ts'

// Runs the service and restarts it when a source file is changed, added or removed. Bun's own `--watch`
// restarts only when a loaded file changes, so it misses a new adapter.

const root = join(import.meta.dir, '..')
/** An editor writes several files at once: the service restarts after the last of them. */
const quietMs = 200

let service = start()
let timer: Timer | undefined
let work = Promise.resolve()
let stopping = false

function start() {
  const child = Bun.spawn([process.execPath, join(root, 'src/main.ts')], {
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  void child.exited.then(() => {
    if (!stopping && child === service && !child.killed)
      process.stderr.write('The service has stopped. It starts again when a file changes.\n')
  })
  return child
}

async function restart(): Promise<void> {
  if (stopping) return
  service.kill('SIGTERM')
  await service.exited
  service = start()
}

async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await work
  service.kill('SIGTERM')
  process.exit(await service.exited)
}

for (const folder of ['src', 'integrations'])
  watch(join(root, folder), { recursive: true }, () => {
    clearTimeout(timer)
    // Editors save several files at once; one restart is enough for them.
    timer = setTimeout(() => {
      work = work.then(restart)
    }, quietMs)
  })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
// npm and npx do not pass a signal on to the processes that they start.
if (process.env['npm_config_userconfig'] !== undefined) onParentExit(() => void stop())
