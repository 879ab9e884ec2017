import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Words and key neighborhoods of zxcvbn-ts, loaded when they are first used: they take 20 MB. */
export const commonWords = (): typeof import('@zxcvbn-ts/language-common') =>
  require('@zxcvbn-ts/language-common')

const zxcvbn = (): typeof import('@zxcvbn-ts/core') => require('@zxcvbn-ts/core')

// 16 random bytes in hexadecimal have an estimate of at least 28.
const leastGuessesLog10 = 20

/** True for a secret with repetitions, sequences or common words, which an attacker can guess. */
export function isGuessable(secret: string): boolean {
  const { dictionary, adjacencyGraphs } = commonWords()
  const estimator = new (zxcvbn().ZxcvbnFactory)({ dictionary, graphs: adjacencyGraphs })
  return estimator.check(secret).guessesLog10 < leastGuessesLog10
}
