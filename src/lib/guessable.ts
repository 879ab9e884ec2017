import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

// 16 random bytes in hexadecimal digits are estimated at 28 or more.
const leastGuessesLog10 = 20

/** True for a secret with repetitions, sequences or common words that an attacker finds by guessing. */
export function isGuessable(secret: string): boolean {
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return estimator.check(secret).guessesLog10 < leastGuessesLog10
}
