/**
 * Runs `bun test` with the given arguments: files in parallel, on one shared PostgreSQL. Nothing
 * stays behind, also when the run is interrupted. The last line contains the totals.
 */
import { onParentExit } from '../src/lib/parent-process.ts'
import { startRun } from './support/test-run.ts'
import { closingLine } from './support/totals.ts'

const colours = process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}
// More than the length of the totals.
const keptCharacters = 2_000

/** Prints what `bun test` reports, and returns the end of it. */
async function report(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let end = ''
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    process.stderr.write(text)
    end = (end + text).slice(-keptCharacters)
  }
  return end
}

const { env, owns, stop } = await startRun()
const tests = Bun.spawn(
  [
    ...[process.execPath, 'test', '--parallel', '--no-isolate'],
    // For tests that never end. Other load on the machine must not fail a test.
    ...['--timeout', '300000', ...process.argv.slice(2)],
  ],
  {
    env: { ...process.env, ...colours, ...env },
    stdio: ['ignore', 'inherit', 'pipe'],
    // In a process group of its own, which can be ended as a whole.
    detached: true,
  },
)
owns(tests.pid)
const interrupt = () => tests.kill('SIGTERM')
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)
onParentExit(interrupt)
const [exitCode, end] = await Promise.all([tests.exited, report(tests.stderr)])
await stop()
const line = closingLine(end, exitCode)
if (line) process.stdout.write(`\n${line}\n`)
process.exit(exitCode)
