import { createHash, randomBytes } from 'node:crypto'

/**
 * A new id: the prefix and a UUIDv7 (RFC 9562) as 32 hexadecimal digits. Ids with the same prefix
 * sort by the millisecond in which they were created.
 */
export function newId(prefix: string, at: Date): string {
  return `${prefix}_${Bun.randomUUIDv7('hex', at).replaceAll('-', '')}`
}

/** Six random letters and digits, for names that must be unique and readable. */
export const randomSuffix = (): string => randomBytes(4).toString('hex').slice(0, 6)

/** What makes the address of a link unguessable: 192 random bits in 32 characters that need no escaping. */
export const newLinkToken = (): string => randomBytes(24).toString('base64url')

/** The SHA-256 of a token: what is stored of it where the link need not be shown again. */
export const hashLinkToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * The smallest id that can have been created at a time. It turns a filter by time into a filter by
 * id.
 */
export function firstIdAt(prefix: string, at: Date): string {
  const milliseconds = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
  return `${prefix}_${milliseconds.toString(16).padStart(12, '0')}${'0'.repeat(20)}`
}
