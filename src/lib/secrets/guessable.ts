import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Words and key neighborhoods of zxcvbn-ts, loaded when they are first used: they take 20 MB. */
export const commonWords = (): typeof import('@zxcvbn-ts/language-common') =>
  require('@zxcvbn-ts/language-common')

const zxcvbn = (): typeof import('@zxcvbn-ts/core') => require('@zxcvbn-ts/core')

/**
 * True for 32 random bytes in hexadecimal, such as the secret that an installation creates. They repeat at most
 * a few groups of three digits; text with repetitions or sequences repeats many.
 */
function isRandomHex(secret: string): boolean {
  if (!/^[0-9a-f]{64}$/.test(secret)) return false
  const groups = Array.from({ length: 62 }, (_, at) => secret.slice(at, at + 3))
  return new Set(groups).size > 55
}

// 16 random bytes in hexadecimal have an estimate of at least 28.
const minGuessesLog10 = 20

/** True for a secret with repetitions, sequences or common words, which an attacker can guess. */
export function isGuessable(secret: string): boolean {
  // Every start checks the secret, and the words of zxcvbn-ts take long to load.
  if (isRandomHex(secret)) return false
  const { dictionary, adjacencyGraphs } = commonWords()
  const estimator = new (zxcvbn().ZxcvbnFactory)({ dictionary, graphs: adjacencyGraphs })
  return estimator.check(secret).guessesLog10 < minGuessesLog10
}
