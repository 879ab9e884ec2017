/**
 * Runs `bun test` with the given arguments: files in parallel, on one shared PostgreSQL. With
 * `--check`, `bun run check` runs at the same time. Nothing stays behind, also when the run is
 * interrupted. The errors of failed tests are printed again at the end; the last line contains the totals.
 */
import { availableParallelism } from 'node:os'
import { onParentExit } from '../src/lib/parent-process.ts'
import { createFailures } from './support/run/failures.ts'
import { startRun } from './support/run/test-run.ts'
import { closingLine } from './support/run/totals.ts'

const colors = process.stderr.isTTY ? { FORCE_COLOR: '1' } : {}
// More than the length of the totals.
const keptCharacters = 2_000
// More than cores, because tests often wait for PostgreSQL, a browser or a timer.
const workers = availableParallelism() * 2
const failures = createFailures()
const timings = new URL('timings.json', import.meta.url).pathname

/** Prints what `bun test` reports, and returns the end of it. */
async function report(output: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let end = ''
  for await (const text of output.pipeThrough(new TextDecoderStream())) {
    process.stderr.write(text)
    failures.add(text)
    end = (end + text).slice(-keptCharacters)
  }
  return end
}

/** Prints what the checks report once they have ended, so that it does not mix with the tests. */
async function reportChecks(checks: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<number> {
  const [output, errors] = await Promise.all([
    new Response(checks.stdout).text(),
    new Response(checks.stderr).text(),
  ])
  process.stderr.write(`\n${output}${errors}\n`)
  return await checks.exited
}

const given = process.argv.slice(2)
const environment = {
  // The slowest of JavaScriptCore's compilers costs a tenth of the CPU time, which tests never earn back.
  BUN_JSC_useFTLJIT: '0',
  // Freed memory is used again soon; giving it back to the system costs another tenth.
  MIMALLOC_PURGE_DELAY: '-1',
  ...process.env,
  ...colors,
}
// In process groups of their own, which can be ended as a whole.
const detached = { stdin: 'ignore', stderr: 'pipe', detached: true } as const
const { env, owns, stop } = await startRun()
const checks = given.includes('--check')
  ? Bun.spawn([process.execPath, 'run', 'check'], {
      ...detached,
      stdout: 'pipe',
      // One of the checks is a compiler in JavaScript, which takes a quarter less CPU time without it.
      env: { BUN_JSC_useConcurrentGC: '0', ...environment },
    })
  : undefined
const tests = Bun.spawn(
  [
    ...[process.execPath, 'test', `--parallel=${workers}`, '--no-isolate'],
    // The files that take longest are started first.
    `--timings=${timings}`,
    // For tests that never end. Other load on the machine must not fail a test.
    ...['--timeout', '300000', ...given.filter((argument) => argument !== '--check')],
  ],
  { ...detached, stdout: 'inherit', env: { ...environment, ...env } },
)
if (checks) owns(checks.pid)
owns(tests.pid)
const interrupt = () => {
  checks?.kill('SIGTERM')
  tests.kill('SIGTERM')
}
process.once('SIGINT', interrupt)
process.once('SIGTERM', interrupt)
onParentExit(interrupt)
const [testExitCode, end, checkExitCode] = await Promise.all([
  tests.exited,
  report(tests.stderr),
  checks ? reportChecks(checks) : 0,
])
await stop()
const exitCode = testExitCode || checkExitCode
const line = closingLine(end, exitCode)
// In the middle of thousands of lines nobody finds them, and CI services cut long output.
if (exitCode !== 0) process.stderr.write(`\nErrors:\n${failures.text()}\n`)
if (line) process.stdout.write(`\n${line}\n`)
process.exit(exitCode)
