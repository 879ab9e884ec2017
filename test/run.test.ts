import { describe, expect, test } from 'bun:test'
import { closingLine } from './support/totals.ts'

const ran = 'Ran 5 tests across 2 files. [18.00ms]\n'

describe('The closing line of a test run', () => {
  test.each([
    ['the passed and failed tests', ` 5 pass\n 0 fail\n 9 expect() calls\n${ran}`, 0],
    ['colored totals', ` \u001b[32m5 pass\u001b[0m\n \u001b[31m0 fail\u001b[0m\n${ran}`, 0],
  ])('contains %s', (_, printed, exitCode) => {
    expect(closingLine(printed, exitCode)).toBe('5 passed, 0 failed')
  })

  test('counts tests that are skipped or still to be written as skipped', () => {
    const printed = ` 1 pass\n 1 skip\n 1 todo\n 2 fail\n 1 error\n${ran}`
    expect(closingLine(printed, 1)).toBe('1 passed, 2 failed, 2 skipped')
  })

  test('counts a run that fails without a failed test as one failure', () => {
    expect(closingLine(` 5 pass\n 0 fail\n${ran}`, 1)).toBe('5 passed, 1 failed')
  })

  test('does not exist when no test file was found', () => {
    expect(closingLine('The following filters did not match any test files:\n', 1)).toBeUndefined()
  })
})
