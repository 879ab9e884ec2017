import pino, { type DestinationStream, type Logger } from 'pino'
import postgres from 'postgres'
import * as v from 'valibot'

const keyValue = /tidings_[0-9A-Za-z]{6,}/g
const apiKeyParameter = /(api_key=)[^&\s"\\]+/g

/**
 * A logger that writes one JSON object per line. Values of API keys are masked in every line. Of a
 * database error only the code is logged, because its text repeats input.
 */
export function createLog(
  level: string,
  destination: { write(line: string): unknown } = process.stdout,
): Logger {
  const redacted: DestinationStream = {
    write: (line) => void destination.write(redact(line)),
  }
  return pino({ level, base: null, serializers: { err: describeError } }, redacted)
}

/** The parts of a Node stream that a log needs. */
interface LogStream {
  write(line: string, done: (error?: Error | null) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

// About half a minute of a busy process; Bun keeps what a pipe does not accept in memory.
const maxWaitingCharacters = 8_000_000

/** Where log lines go. */
export interface LogOutput {
  write(line: string): void
  /** Writes the lines that wait now. */
  flush(): void
  /**
   * Writes the lines that wait, and resolves when the reader has accepted all lines, at the latest after
   * `timeoutMs`. Call it before the process exits: what a pipe has not accepted would be lost.
   */
  finish(timeoutMs: number): Promise<void>
}

const collectMs = 10

/**
 * A log destination that drops lines which cannot be written (full disk, closed pipe, a reader that
 * has stopped) instead of ending the process or filling its memory. The next lines that can be
 * written are followed by the number of dropped lines. The lines of some milliseconds are written
 * together, because a write takes longer than the rest of a line.
 */
export function createLogOutput(stream: LogStream): LogOutput {
  let collected: string[] = []
  let dropped = 0
  let waiting = 0
  let onAccepted: (() => void) | undefined
  // Without a listener, an error of the stream would end the process. The dropped lines are counted
  // below.
  stream.on('error', () => {})
  const report = () => {
    if (dropped === 0) return
    const lines = dropped
    dropped = 0
    const line = { level: pino.levels.values['warn'], time: Date.now(), dropped: lines }
    stream.write(`${JSON.stringify({ ...line, msg: 'log lines were dropped' })}\n`, (error) => {
      if (error) dropped += lines
    })
  }
  const flush = () => {
    if (collected.length === 0) return
    const lines = collected.length
    const text = collected.join('')
    collected = []
    stream.write(text, (error) => {
      waiting -= text.length
      if (error) dropped += lines
      else report()
      if (waiting === 0) onAccepted?.()
    })
  }
  return {
    write(line) {
      if (waiting + line.length > maxWaitingCharacters) {
        dropped += 1
        return
      }
      waiting += line.length
      // Long enough for many lines of a busy process, and too short for a reader to notice.
      if (collected.length === 0) setTimeout(flush, collectMs)
      collected.push(line)
    },
    flush,
    async finish(timeoutMs) {
      flush()
      if (waiting === 0) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onAccepted = resolve
      // A reader that has stopped must not keep the process from ending.
      await Promise.race([promise, Bun.sleep(timeoutMs)])
    },
  }
}

/** A text in which the values of API keys are masked. Most lines contain none, and looking for one is fast. */
function redact(text: string): string {
  if (!text.includes('tidings_') && !text.includes('api_key=')) return text
  return text.replace(keyValue, 'tidings_***').replace(apiKeyParameter, '$1***')
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return describeValue(error)
  if (error instanceof postgres.PostgresError) {
    const { code, routine, constraint_name: constraint, table_name: table } = error
    // Class 42 means that our SQL is wrong; the text of any other error can repeat input.
    const message = code.startsWith('42') ? error.message : undefined
    return { type: 'PostgresError', code, message, routine, constraint, table }
  }
  const code = 'code' in error ? String(error.code) : undefined
  return {
    type: error.name,
    code,
    message: error.message,
    stack: error.stack,
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  }
}

const CopiedError = v.object({
  code: v.optional(v.string()),
  message: v.optional(v.string()),
  queue: v.optional(v.string()),
  severity: v.optional(v.string()),
})

/** What was thrown without being an error. pg-boss copies errors into objects; the text of one of PostgreSQL can repeat input. */
function describeValue(value: unknown): unknown {
  if (value === undefined) return undefined
  const copied = v.safeParse(CopiedError, value)
  if (!copied.success) return { message: String(value) }
  const { severity, message, ...rest } = copied.output
  return severity === undefined ? { message, ...rest } : rest
}
