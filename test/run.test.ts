import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemEnvironment } from './support/processes/process.ts'
import { createFailures } from './support/run/failures.ts'
import { temporaryFolder } from './support/run/test-run.ts'
import { closingLine } from './support/run/totals.ts'
import { until } from './support/until.ts'

const ran = 'Ran 5 tests across 2 files. [18.00ms]\n'

describe('the closing line of a test run', () => {
  test.each([
    ['the passed and failed tests', ` 5 pass\n 0 fail\n 9 expect() calls\n${ran}`, 0],
    ['colored totals', ` \u001b[32m5 pass\u001b[0m\n \u001b[31m0 fail\u001b[0m\n${ran}`, 0],
  ])('the closing line of a test run contains %s', (_, printed, exitCode) => {
    expect(closingLine(printed, exitCode)).toBe('5 passed, 0 failed')
  })

  test('the closing line of a test run counts tests that are skipped or still to be written as skipped', () => {
    const printed = ` 1 pass\n 1 skip\n 1 todo\n 2 fail\n 1 error\n${ran}`
    expect(closingLine(printed, 1)).toBe('1 passed, 2 failed, 2 skipped')
  })

  test('the closing line of a test run counts a run that fails without a failed test as one failure', () => {
    expect(closingLine(` 5 pass\n 0 fail\n${ran}`, 1)).toBe('5 passed, 1 failed')
  })

  test('the closing line of a test run does not exist when no test file was found', () => {
    expect(closingLine('The following filters did not match any test files:\n', 1)).toBeUndefined()
  })
})

test('the errors of failed tests are collected without the tests that passed and the list at the end', () => {
  const failures = createFailures()
  const printed = [
    ...['a.test.ts:', '(pass) adds [1.00ms]', '(fail) divides [2.00ms]', ''],
    ...['b.test.ts:', '1 | divide(1)', '\u001b[31merror\u001b[0m: expected 1', '(pass) multiplies'],
    ...['1 tests failed:', '(fail) divides [2.00ms]', ` 2 pass\n 1 fail\n${ran}`],
  ].join('\n')
  for (const part of printed.match(/.{1,7}/gs) ?? []) failures.add(part)
  expect(failures.text()).toBe(
    '(fail) divides [2.00ms]\n1 | divide(1)\n\u001b[31merror\u001b[0m: expected 1',
  )
})

/**
 * A file with tests that use PostgreSQL: the second exceeds its time limit, the third never ends. The test below reads
 * what they print.
 */
const unendingTests = `
  import { test } from 'bun:test'
  import { currentRun } from '${fileURLToPath(new URL('support/run/test-run.ts', import.meta.url))}'
  test('starts', async () => console.log('folder:', (await currentRun()).folder), 300_000)
  test('exceeds its time limit', () => new Promise(() => {}), 1)
  test('never ends', () => (console.log('waiting'), new Promise(() => {})), 300_000)
`

test('a run with a test that exceeds its time limit, and that is killed, leaves no PostgreSQL behind', async () => {
  const file = join(await temporaryFolder('run'), 'unending.test.ts')
  await Bun.write(file, unendingTests)
  const run = Bun.spawn([process.execPath, 'test', file], {
    env: systemEnvironment,
    stdout: 'pipe',
    stderr: 'ignore',
  })
  let printed = ''
  for await (const text of run.stdout.pipeThrough(new TextDecoderStream())) {
    printed += text
    if (printed.includes('waiting')) break
  }
  const folder = /folder: (.+)/.exec(printed)?.[1] ?? 'none'
  expect(await processesWith(folder)).not.toEqual([])
  run.kill('SIGKILL')
  await until(async () => (await processesWith(folder)).length === 0)
  await until(async () => !existsSync(folder))
})

/** The processes whose command contains a text. */
async function processesWith(text: string): Promise<string[]> {
  const output = await Bun.$`ps -eo args`.text()
  return output.split('\n').filter((command) => command.includes(text))
}
