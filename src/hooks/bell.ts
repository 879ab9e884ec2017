export interface Bell {
  ring(): void
  /** Resolves at the next ring, at once when it rang since the last time, or after `ms`. */
  rung(ms: number): Promise<void>
}

/** Wakes one waiter, without losing a ring that came while it was busy. */
export function createBell(): Bell {
  let rang = false
  let wake = () => {}
  return {
    ring() {
      rang = true
      wake()
    },
    async rung(ms) {
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
