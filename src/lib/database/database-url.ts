import { readFileSync } from 'node:fs'
import type { DatabaseAddress, TlsOptions } from './db.ts'

/** The parts of a `postgres://` URL; null when it has none, as without a host. */
export function readDatabaseUrl(url: string): URL | null {
  // A URL with a user, without a host and with the folder of a socket is valid for PostgreSQL and invalid for `URL`.
  return (
    URL.parse(url) ??
    URL.parse(url.replace(/^([^/]*\/\/[^/]*@)\/(?=.*[?&]host=(?:\/|%2F))/i, '$1localhost/'))
  )
}

/** What libpq accepts, apart from `disable`. */
const encryptedModes = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/** False for a value of `sslmode` that libpq does not know either. */
export function hasSslMode(url: string): boolean {
  const mode = readDatabaseUrl(url)?.searchParams.get('sslmode') ?? 'disable'
  return mode === 'disable' || encryptedModes.includes(mode)
}

/** False when the file in `sslrootcert` cannot be read. */
export function hasRootCertificate(url: string): boolean {
  const file = readDatabaseUrl(url)?.searchParams.get('sslrootcert') ?? 'system'
  try {
    return file === 'system' || readFileSync(file, 'utf8').includes('BEGIN CERTIFICATE')
  } catch {
    return false
  }
}

/**
 * The address in a `postgres://` URL. The parameters `host` (the folder of a Unix socket), `sslmode` and
 * `sslrootcert` mean what they mean to libpq (PostgreSQL manual, 34.1.1.2 and 34.19.1); our two drivers read
 * them differently, or not at all.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const parsed = readDatabaseUrl(url)
  if (parsed === null) return url
  const { searchParams: parameters } = parsed
  const host = parameters.get('host')
  if (host?.startsWith('/')) {
    return {
      host,
      port: Number(parameters.get('port') ?? (parsed.port || 5432)),
      database: decodeURIComponent(parsed.pathname.slice(1)),
      username: decodeURIComponent(parsed.username),
      password: decodeURIComponent(parsed.password),
    }
  }
  const ssl = tlsOf(parameters)
  if (ssl === null) return url
  for (const name of ['ssl', 'sslmode', 'sslrootcert']) parameters.delete(name)
  return { url: parsed.href, ssl }
}

/** How connections are encrypted; null when the URL does not say it. `ssl=true` is a name of other drivers for `verify-full`. */
function tlsOf(parameters: URLSearchParams): TlsOptions | null {
  const file = parameters.get('sslrootcert')
  const isAsked = file !== null || ['true', '1'].includes(parameters.get('ssl') ?? '')
  const mode = parameters.get('sslmode') ?? (isAsked ? 'verify-full' : null)
  if (mode === null) return null
  if (mode === 'disable') return false
  const isVerified = mode.startsWith('verify-') || file !== null
  if (!isVerified) return { rejectUnauthorized: false }
  if (file === null || file === 'system') return {}
  const ca = readFileSync(file, 'utf8')
  return mode === 'verify-full' ? { ca } : { ca, checkServerIdentity: () => undefined }
}
