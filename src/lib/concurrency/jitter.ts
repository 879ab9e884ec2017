/** A duration that is multiplied by a random number, so that what begins at the same time does not end at the same time. */
export const withJitter = (ms: number, { from, to }: { from: number; to: number }): number =>
  ms * (from + Math.random() * (to - from))
