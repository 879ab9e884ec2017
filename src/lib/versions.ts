import { createHash } from 'node:crypto'
import { AppError } from './errors.ts'

/** The versions that may be changed; null for any. */
export type ExpectedVersions = readonly number[] | null

/** The version of a resource that nobody has changed since it was created. */
export const firstVersion = 1

/**
 * The strong entity tag of a version (RFC 9110, section 8.8.3), and of the address that the resource has besides:
 * settings of the team change it, and no version.
 */
const etagOf = (version: number, address: string | null = null) =>
  address === null ? `"v${version}"` : `"v${version}-${hashOf(address)}"`

const hashOf = (address: string) => createHash('sha256').update(address).digest('hex').slice(0, 16)

/** The version that an entity tag names; 0 for a tag that was never ours. */
export const versionOfEtag = (tag: string): number =>
  Number(/^"v(\d+)(?:-[\da-f]{16})?"$/.exec(tag)?.[1] ?? 0)

/**
 * A value as it is compared to find out whether a change makes a new version: a time as its milliseconds, and a
 * number with the digits that a `real` column keeps.
 */
export function comparable<Value extends string | number | boolean | Date | null>(value: Value) {
  if (value instanceof Date) return value.getTime()
  return typeof value === 'number' ? Math.fround(value) : value
}

/** The headers of a versioned resource. */
export const versionHeaders = ({
  version,
  archive_url = null,
}: {
  version: number
  archive_url?: string | null
}) => ({ etag: etagOf(version, archive_url) })

/** Throws `version_mismatch` with the present version unless it is one of the expected ones. */
export function requireVersion(expected: ExpectedVersions, current: number): void {
  if (expected === null || expected.includes(current)) return
  throw new AppError(
    'version_mismatch',
    `If-Match does not name version ${current}, which is the present one. Read it again, then repeat your change.`,
    { extra: { version: current }, headers: { etag: etagOf(current) } },
  )
}
