/**
 * Runs `bun test` with the given arguments: files in parallel, on one shared PostgreSQL. Nothing
 * stays behind, also when the run is interrupted.
 */
import { onParentExit } from '../src/lib/parent-process.ts'
import { startRun } from './support/test-run.ts'

const { env, owns, stop } = await startRun()
const tests = Bun.spawn(
  [
    ...[process.execPath, 'test', '--parallel', '--no-isolate'],
    ...['--timeout', '60000', ...process.argv.slice(2)],
  ],
  {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
    // In a process group of its own, which can be ended as a whole.
    detached: true,
  },
)
owns(tests.pid)
const interrupt = () => tests.kill('SIGTERM')
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)
onParentExit(interrupt)
const exitCode = await tests.exited
await stop()
process.exit(exitCode)
