import { setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'

/** Set by `bun run test:long`: properties are then checked with random inputs, and with many more. */
const long = process.env['PROPERTY_RUNS'] === 'long'

const seed = 20261122
// Other load on the machine must not fail a test.
const timeoutMs = long ? 3_600_000 : 60_000
/** What fast-check runs where a property does not say. */
const defaultRuns = 100

/**
 * Gives every test enough time, and every property the same inputs in every run, so that a run fails
 * for what has changed.
 */
export function configureTests(): void {
  setDefaultTimeout(timeoutMs)
  fc.configureGlobal(long ? { numRuns: 100 * defaultRuns } : { seed })
}

/** How often to check a property: `normal` times, or a hundred times as often in the long run. */
export const runs = (normal: number): { numRuns: number } => ({
  numRuns: long ? normal * 100 : normal,
})
