export interface Signal {
  notify(): void
  /** Resolves at the next ring, at once when it rang since the last time, or after `ms`. */
  wait(ms: number): Promise<void>
}

/** Wakes one waiter, without losing a ring that came while it was busy. */
export function createSignal(): Signal {
  let rang = false
  let wake = () => {}
  return {
    notify() {
      rang = true
      wake()
    },
    async wait(ms) {
      if (!rang) {
        const { promise, resolve } = Promise.withResolvers<void>()
        const timer = setTimeout(resolve, ms)
        wake = resolve
        await promise
        clearTimeout(timer)
      }
      rang = false
    },
  }
}
