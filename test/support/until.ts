/**
 * Calls `check` until it returns something, and returns that. Throws when there is nothing within a time that is
 * shorter than the limit of `bun test`, so that the error is this one.
 */
export async function until<T>(
  check: () => Promise<T | null | undefined | false>,
  seconds = 240,
): Promise<T> {
  const start = performance.now()
  for (let waitedMs = 0; waitedMs < seconds * 1000; waitedMs = performance.now() - start) {
    const result = await check()
    if (result !== null && result !== undefined && result !== false) return result
    // Without pauses, checking would take the CPU time that the awaited work needs.
    await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(10, waitedMs / 10), 250)))
  }
  throw new Error('what the test waits for did not happen in time')
}
