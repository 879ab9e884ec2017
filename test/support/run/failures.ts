import { stripVTControlCharacters } from 'node:util'

// Enough for dozens of failed tests; the whole output is further up.
const keptLines = 1_000

/** A line that says nothing about a failed test: a test that passed, the name of a file, nothing. */
const isOther = (line: string) => /^(?:\(pass\) .*|\S+\.test\.tsx?:|\s*)$/.test(line)

/** Collects from the output of `bun test` what is not about tests that passed, to print it again at the end. */
export function createFailures() {
  let lines: string[] = []
  let unfinished = ''
  let hasEnded = false

  function addLine(line: string): void {
    const text = stripVTControlCharacters(line)
    // The totals and the list of failed tests are at the end anyway.
    hasEnded ||= /^(?: *\d+ pass|\d+ tests? failed:)$/.test(text)
    if (!(hasEnded || isOther(text))) lines = [...lines.slice(1 - keptLines), line]
  }

  return {
    /** Adds a part of the output, which can end within a line. */
    add(text: string): void {
      const parts = (unfinished + text).split('\n')
      unfinished = parts.pop() ?? ''
      for (const line of parts) addLine(line)
    },
    /** The last 1,000 of these lines. */
    text: (): string => lines.join('\n'),
  }
}
