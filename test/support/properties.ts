import fc from 'fast-check'

/**
 * Set by `bun run test:long`: properties are then checked with random inputs and with many more, and
 * corpora as a whole.
 */
export const isLongRun = process.env['PROPERTY_RUNS'] === 'long'

const seed = 20261122
/** What fast-check runs where a property does not say. */
const defaultRuns = 100

/** Gives every property the same inputs in every run, so that a run fails for what has changed. */
export function configureProperties(): void {
  fc.configureGlobal(isLongRun ? { numRuns: 100 * defaultRuns } : { seed })
}

/** How often to check a property: `normal` times, or a hundred times as often in the long run. */
export const runs = (normal: number): { numRuns: number } => ({
  numRuns: isLongRun ? normal * 100 : normal,
})

/**
 * A part of the cases of a corpus: every `step`-th, beginning with the case number `turn`; in the long
 * run all of them. Tests of many things count `turn` up, so that each case meets some of the things.
 */
export const sample = <Case>(cases: readonly Case[], step: number, turn = 0): readonly Case[] =>
  isLongRun ? cases : cases.filter((_, at) => (at + turn) % step === 0)
