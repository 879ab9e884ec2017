import * as v from 'valibot'
import { inNfc, toNfc } from '../../contract/text.ts'
import { invalidField } from '../../lib/errors.ts'
import { commonWords } from '../../lib/secrets/guessable.ts'

let leaked: ReadonlySet<string> | undefined

/** Passwords from published leaks; maintained by zxcvbn-ts. */
function leakedPasswords(): ReadonlySet<string> {
  leaked ??= new Set(commonWords().dictionary['passwords-common'])
  return leaked
}

const guessed = 'is among the first that attackers try'

export const minPasswordCharacters = 8
export const maxPasswordCharacters = 128

/**
 * A password that a person chooses: 8 to 128 characters, none of the common ones. It is stored as
 * typed, in NFC, so that accents from another keyboard match (NIST SP 800-63B, section 3.1.1.2).
 */
export const NewPassword = v.pipe(
  v.string('is required'),
  inNfc,
  v.minLength(minPasswordCharacters, `must have at least ${minPasswordCharacters} characters`),
  v.maxLength(maxPasswordCharacters, `must have at most ${maxPasswordCharacters} characters`),
  v.check((password) => !isCommon(password), guessed),
)

function isCommon(password: string): boolean {
  const lower = password.toLowerCase()
  const common = leakedPasswords()
  return common.has(lower) || common.has(withoutAffixes(lower)) || new Set(lower).size < 4
}

/**
 * A password without the digits and signs around it: attackers try "Password123!" as "password".
 */
const withoutAffixes = (lower: string) => lower.replace(/^[\d\W_]+|[\d\W_]+$/g, '')

const minOtherCharacters = 5

/**
 * Throws `validation_failed` for a password that consists of known facts: the person's address or
 * name, or the name of this service.
 */
export function requireUnrelatedPassword(
  password: string,
  { email, name }: { email: string; name: string },
): void {
  const words = [email, ...email.split('@'), ...name.split(/\s+/), 'tidings', 'newsletter']
  const known = words.map((word) => word.toLowerCase()).filter((word) => word.length >= 3)
  const rest = known.reduce((left, word) => left.replaceAll(word, ''), password.toLowerCase())
  if (withoutAffixes(rest).length >= minOtherCharacters || rest === password.toLowerCase()) return
  throw invalidField('/password', 'contains little but your name or address', 'guessable')
}

// OWASP's password storage cheat sheet: argon2id, 19 MiB, two passes.
const argon2 = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

/** The argon2id hash of a password, with its salt and cost inside. */
export async function hashPassword(password: string): Promise<string> {
  return await Bun.password.hash(toNfc(password), argon2)
}

/** True when the password has this hash. */
export async function verifyPassword(input: { password: string; hash: string }): Promise<boolean> {
  return await Bun.password.verify(toNfc(input.password), input.hash)
}
