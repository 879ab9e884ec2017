import { expect, test } from 'bun:test'
import { createLog, keepWriting } from '../../src/lib/log.ts'

test('log lines that cannot be written are dropped, and their number is logged afterwards', () => {
  const lines: string[] = []
  let full = false
  const stream = {
    write(line: string, done: (error?: Error) => void) {
      if (!full) lines.push(line)
      done(full ? new Error('ENOSPC: no space left on device') : undefined)
    },
    on: () => undefined,
  }
  const log = createLog('info', keepWriting(stream))
  log.info('first')
  full = true
  log.info('second')
  log.info('third')
  full = false
  log.info('fourth')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { msg: 'first' },
    { msg: 'fourth' },
    { msg: 'log lines were dropped', dropped: 2 },
  ])
})
