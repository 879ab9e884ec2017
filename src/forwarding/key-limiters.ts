import Bottleneck from 'bottleneck'

/** What one API key may still do: a Bottleneck limiter whose places come back one by one. */
interface KeyLimiter {
  /** Runs a call once a place is free, and gives the place back a whole window after it has ended. */
  run<T>(call: () => Promise<T>): Promise<T>
  /** Lets nothing start for a while. */
  pause(ms: number): Promise<void>
}

export interface KeyLimiterOptions {
  /** Calls in any window. */
  limit: number
  windowMs: number
  /** Calls at the same moment. */
  concurrent: number
}

export interface KeyLimiters {
  /** The lane of a key. `recentAges` tells how long ago, in ms, calls were made that still count. */
  of(key: string, recentAges: () => Promise<number[]>): KeyLimiter
  /** Keys that have no place at the moment. */
  keysAtLimit(): Promise<string[]>
  /** Calls that wait for a place. */
  waiting(): number
  /** Forgets all counts; they are asked for anew. */
  reset(): void
  /** Rejects what waits and stops all clocks. */
  stop(): void
}

// For timers that fire early and clocks that do not run alike.
const marginMs = 250
const retryFillMs = 1_000

/**
 * One limiter per key. Bottleneck's own refresh lets two windows' worth through when two refreshes
 * meet, so each place is given back by itself: a window after its call *ended*, since the other side
 * counts from when it accepted, which may be well after our start.
 */
export function createKeyLimiters(options: KeyLimiterOptions): KeyLimiters {
  const group = new Bottleneck.Group({ reservoir: 0, maxConcurrent: options.concurrent })
  const lanes = new WeakMap<Bottleneck, KeyLimiter>()
  const timers = createTimers()
  return {
    of(key, recentAges) {
      const limiter = group.key(key)
      const lane = lanes.get(limiter) ?? createKeyLimiter(limiter, timers, options, recentAges)
      lanes.set(limiter, lane)
      return lane
    },
    async keysAtLimit() {
      const checks = group.limiters().map(async ({ key, limiter }) => {
        const free = (await limiter.currentReservoir()) ?? 0
        return free > 0 ? [] : [key]
      })
      return (await Promise.all(checks)).flat()
    },
    waiting: () => group.limiters().reduce((sum, { limiter }) => sum + limiter.queued(), 0),
    reset() {
      for (const key of group.keys()) void group.deleteKey(key)
    },
    stop() {
      timers.clear()
      for (const { limiter } of group.limiters()) void limiter.stop({ dropWaitingJobs: true })
    },
  }
}

function createKeyLimiter(
  limiter: Bottleneck,
  timers: Timers,
  { limit: places, windowMs }: KeyLimiterOptions,
  recentAges: () => Promise<number[]>,
): KeyLimiter {
  let pausedUntil = 0

  function giveBack(inMs: number, count = 1): void {
    timers.after(inMs, () => {
      const pausedMs = pausedUntil - performance.now()
      if (pausedMs > 0) giveBack(pausedMs, count)
      else void limiter.incrementReservoir(count)
    })
  }

  // The limiter starts without a place: first it must be known how many are used up.
  async function fill(): Promise<void> {
    const ages = await recentAges().catch(() => null)
    if (ages === null) return timers.after(retryFillMs, () => void fill())
    const used = ages.slice(-places)
    for (const age of used) giveBack(windowMs + marginMs - age)
    await limiter.incrementReservoir(places - used.length)
  }

  void fill()
  return {
    run: (call) => limiter.schedule(() => call().finally(() => giveBack(windowMs + marginMs))),
    async pause(ms) {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms)
      const free = (await limiter.currentReservoir()) ?? 0
      if (free <= 0) return
      await limiter.incrementReservoir(-free)
      giveBack(ms, free)
    },
  }
}

type Timers = ReturnType<typeof createTimers>

function createTimers() {
  const pending = new Set<Timer>()
  return {
    after(ms: number, run: () => void): void {
      const timer = setTimeout(() => {
        pending.delete(timer)
        run()
      }, ms)
      pending.add(timer)
    },
    clear(): void {
      for (const timer of pending) clearTimeout(timer)
      pending.clear()
    },
  }
}
