import { expect, test } from 'bun:test'
import { createLog, createLogOutput } from '../../src/lib/log.ts'
import { until } from '../support/until.ts'

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
  const output = createLogOutput(stream)
  const log = createLog('info', output)
  log.info('first')
  output.flush()
  full = true
  log.info('second')
  output.flush()
  log.info('third')
  output.flush()
  full = false
  log.info('fourth')
  output.flush()
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
  const output = createLogOutput(stream)
  const log = createLog('info', output)
  const text = 'x'.repeat(1_000_000)
  for (let n = 0; n < 20; n++) {
    log.info(text)
    output.flush()
  }
  const kept = waiting.length
  expect(waiting.reduce((size, { line }) => size + line.length, 0)).toBeLessThan(8_000_001)
  for (const { done } of waiting.splice(0)) done()
  log.info('afterwards')
  output.flush()
  const lines = waiting.map(({ line }) => JSON.parse(line))
  expect(lines).toMatchObject([{ dropped: 20 - kept }, { msg: 'afterwards' }])
})

test('lines of the same moment are written together and in order, at the latest when the process exits', async () => {
  const texts: string[] = []
  const stream = { write: (text: string) => void texts.push(text), on: () => undefined }
  const output = createLogOutput(stream)
  const log = createLog('info', output)
  log.info('first')
  log.info('second')
  expect(texts).toEqual([])
  await until(async () => texts.length === 1)
  log.info('third')
  output.flush()
  const lines = texts.map((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).msg),
  )
  expect(lines).toEqual([['first', 'second'], ['third']])
})

test('a process that ends after many lines loses none of them on a slow pipe', async () => {
  const source = new URL('../../src/lib/log.ts', import.meta.url).pathname
  const script = `
    const { createLog, createLogOutput } = await import(${JSON.stringify(source)})
    const output = createLogOutput(process.stdout)
    const log = createLog('info', output)
    for (let line = 0; line < 3000; line++) log.info('x'.repeat(500))
    await output.finish(60_000)
    process.exit(0)`
  const child = Bun.spawn(['bun', '-e', script], { stdout: 'pipe', stderr: 'inherit' })
  const text = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  expect(text.trimEnd().split('\n')).toHaveLength(3000)
})

test('a reader that has stopped delays the end of the process only for the given time', async () => {
  const output = createLogOutput({ write: () => undefined, on: () => undefined })
  output.write('a line that nobody reads')
  expect(await output.finish(1)).toBeUndefined()
})

test('an error that the job queue copied into an object is logged with its code, one of PostgreSQL without its text', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  log.error({ err: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED', queue: 'forward' } })
  log.error({ err: { code: '22P02', severity: 'ERROR', message: 'invalid input: canary' } })
  log.error({ err: 'a text' })
  expect(lines.map((line) => JSON.parse(line).err)).toEqual([
    { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED', queue: 'forward' },
    { code: '22P02' },
    { message: 'a text' },
  ])
})
