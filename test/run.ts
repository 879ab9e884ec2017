/**
 * Runs `bun test` with the given arguments, its files in parallel on one shared PostgreSQL. Nothing
 * stays behind when it is interrupted.
 */
import { onParentExit } from '../src/lib/parent-process.ts'
import { startRun } from './support/test-run.ts'

const { env, stop } = await startRun()
const tests = Bun.spawn(
  [
    // Ends with this process, and ends what tests have started.
    ...[process.execPath, '--no-orphans', 'test', '--parallel', '--no-isolate'],
    ...['--timeout', '60000', ...process.argv.slice(2)],
  ],
  { env: { ...process.env, ...env }, stdio: ['inherit', 'inherit', 'inherit'] },
)
const interrupt = () => tests.kill('SIGTERM')
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)
onParentExit(interrupt)
const exitCode = await tests.exited
await stop()
process.exit(exitCode)
