/**
 * A new id: the prefix and a UUIDv7 (RFC 9562) in 32 hexadecimal digits, so that ids of one prefix
 * sort by the millisecond they were made in.
 */
export function newId(prefix: string, at: Date): string {
  return `${prefix}_${Bun.randomUUIDv7('hex', at).replaceAll('-', '')}`
}

/** The smallest id that can have been made at `at`: turns a filter by time into one by id. */
export function firstIdAt(prefix: string, at: Date): string {
  const milliseconds = Math.min(Math.max(at.getTime(), 0), 2 ** 48 - 1)
  return `${prefix}_${milliseconds.toString(16).padStart(12, '0')}${'0'.repeat(20)}`
}
