import type { DatabaseAddress } from './db.ts'

/**
 * The parts of a `postgres://` URL. The parameter `host` contains the folder of a Unix socket, as
 * in libpq (PostgreSQL manual, 34.1.1.2); the drivers do not read it.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  // A URL with a user and without a host is valid for PostgreSQL and invalid for `URL`.
  const parsed = URL.parse(url.replace(/^([^/]*\/\/[^/]*@)\//, '$1localhost/'))
  const host = parsed?.searchParams.get('host')
  if (!parsed || !host?.startsWith('/')) return url
  return {
    host,
    port: Number(parsed.searchParams.get('port') ?? (parsed.port || 5432)),
    database: decodeURIComponent(parsed.pathname.slice(1)),
    username: decodeURIComponent(parsed.username),
    password: decodeURIComponent(parsed.password),
  }
}
