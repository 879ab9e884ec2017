import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

// 16 random bytes in hexadecimal have an estimate of at least 28.
const leastGuessesLog10 = 20

/** True for a secret with repetitions, sequences or common words, which an attacker can guess. */
export function isGuessable(secret: string): boolean {
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
  return estimator.check(secret).guessesLog10 < leastGuessesLog10
}
