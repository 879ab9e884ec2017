import fc from 'fast-check'

/** Set by `bun run test:long`: properties are then checked with random inputs, and with many more. */
const long = process.env['PROPERTY_RUNS'] === 'long'

const seed = 20261122
/** What fast-check runs where a property does not say. */
const defaultRuns = 100

/** Gives every property the same inputs in every run, so that a run fails for what has changed. */
export function configureProperties(): void {
  fc.configureGlobal(long ? { numRuns: 100 * defaultRuns } : { seed })
}

/** How often to check a property: `normal` times, or a hundred times as often in the long run. */
export const runs = (normal: number): { numRuns: number } => ({
  numRuns: long ? normal * 100 : normal,
})
