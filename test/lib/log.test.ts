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

test('while nobody reads the log, at most 8 MB of lines wait in memory, and the number of the others is logged afterwards', () => {
  const waiting: { line: string; done: () => void }[] = []
  const stream = {
    write: (line: string, done: () => void) => void waiting.push({ line, done }),
    on: () => undefined,
  }
  const log = createLog('info', keepWriting(stream))
  const text = 'x'.repeat(1_000_000)
  for (let n = 0; n < 20; n++) log.info(text)
  const kept = waiting.length
  expect(waiting.reduce((size, { line }) => size + line.length, 0)).toBeLessThan(8_000_001)
  for (const { done } of waiting.splice(0)) done()
  log.info('afterwards')
  const lines = waiting.map(({ line }) => JSON.parse(line))
  expect(lines).toMatchObject([{ dropped: 20 - kept }, { msg: 'afterwards' }])
})
