import * as v from 'valibot'
import { guessable } from './guessable.ts'

export const leastPasswordCharacters = 8
export const mostPasswordCharacters = 128

/**
 * A password that somebody chooses: 8 to 128 characters, none of the common ones. Kept as typed, in
 * NFC, so that another keyboard's accents match (NIST SP 800-63B, section 3.1.1.2).
 */
export const NewPassword = v.pipe(
  v.string('is required'),
  v.normalize('NFC'),
  v.minLength(leastPasswordCharacters, `must have at least ${leastPasswordCharacters} characters`),
  v.maxLength(mostPasswordCharacters, `must have at most ${mostPasswordCharacters} characters`),
  v.check((password) => !isGuessable(password), 'is among the first that attackers try'),
)

function isGuessable(password: string): boolean {
  const lower = password.toLowerCase()
  // "Password123!" is "password" to whoever guesses.
  const stem = lower.replace(/^[\d\W_]+|[\d\W_]+$/g, '')
  return guessable.has(lower) || guessable.has(stem) || new Set(lower).size < 4
}

// OWASP's password storage cheat sheet: argon2id, 19 MiB, two passes.
const argon2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** The argon2id hash of a password, with its salt and cost inside. */
export async function hashPassword(password: string): Promise<string> {
  return await Bun.password.hash(password.normalize('NFC'), argon2)
}

/** True when the password has this hash. */
export async function verifyPassword(input: { password: string; hash: string }): Promise<boolean> {
  return await Bun.password.verify(input.password.normalize('NFC'), input.hash)
}
