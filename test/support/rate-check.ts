/** At most so many requests in any so many seconds. */
export interface Rate {
  seconds: number
  max: number
}

/**
 * Checks the requests of a stand-in against published rates, by the time of their arrival. Returns what was exceeded
 * for a key, such as a conversation; null for a request within all rates.
 */
export function createRateCheck(rates: readonly Rate[]) {
  const arrivals = new Map<string, number[]>()
  const longestMs = Math.max(...rates.map(({ seconds }) => seconds)) * 1_000
  return {
    count(key: string, now = Date.now()): string | null {
      const times = (arrivals.get(key) ?? []).filter((at) => now - at < longestMs)
      times.push(now)
      arrivals.set(key, times)
      const exceeded = rates.find(
        ({ seconds, max }) => times.filter((at) => now - at < seconds * 1_000).length > max,
      )
      return exceeded ? `more than ${exceeded.max} in ${exceeded.seconds} s for ${key}` : null
    },
    reset: () => arrivals.clear(),
  }
}
