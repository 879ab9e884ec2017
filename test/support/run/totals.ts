import { stripVTControlCharacters } from 'node:util'

/**
 * The closing line of a run, such as `12 passed, 0 failed, 1 skipped`, from what `bun test` has
 * printed and its exit code. CI services read this line. A run that fails without a failed test
 * counts as one failure. Returns undefined when `bun test` has not printed its totals.
 */
export function closingLine(printed: string, exitCode: number): string | undefined {
  const text = stripVTControlCharacters(printed)
  const total = (name: string) =>
    Number(text.match(new RegExp(`^ *(\\d+) ${name}$`, 'm'))?.[1] ?? 0)
  if (!/^Ran \d+ tests? across \d+ files?\./m.test(text)) return undefined
  const failed = Math.max(total('fail'), exitCode === 0 ? 0 : 1)
  const skipped = total('skip') + total('todo')
  return `${total('pass')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
