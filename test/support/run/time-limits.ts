/**
 * The time limits of the service, such as 5 s for a connection to PostgreSQL, are for people and
 * programs that wait. On a busy machine they also pass where nothing is wrong, and a test of something
 * else would fail. Only the tests of these limits wait for them.
 */
const { setTimeout } = globalThis
const { timeout } = AbortSignal

// Shorter times are delays that a test waits for, such as the 5 s between two checks of the job queue.
const minTimerMs = 6_000
// Longer times are those of the browser, whose error says what did not happen.
const browserTimerMs = 100_000
// Signals are never delays; a test sets a shorter limit to see it pass.
const minSignalMs = 4_000
const factor = 50

const extended = (ms: number, minMs: number) =>
  ms < minMs || ms >= browserTimerMs ? ms : ms * factor

/** Makes the time limits of this process last longer than any test. */
export function extendTimeLimits(): void {
  globalThis.setTimeout = new Proxy(setTimeout, {
    apply(target, self, [callback, ms, ...rest]) {
      const laterMs = typeof ms === 'number' ? extended(ms, minTimerMs) : ms
      return Reflect.apply(target, self, [callback, laterMs, ...rest])
    },
  })
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, extended(ms, minSignalMs))
}

/** Runs `work` with the time limits of the service. */
export async function withTimeLimitsOfTheService(work: () => Promise<void>): Promise<void> {
  globalThis.setTimeout = setTimeout
  AbortSignal.timeout = timeout
  try {
    await work()
  } finally {
    extendTimeLimits()
  }
}
