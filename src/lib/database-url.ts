import type { DatabaseAddress } from './db.ts'

/**
 * The address in a `postgres://` URL. The folder of a Unix socket is in the parameter `host`, as in
 * libpq (PostgreSQL manual, 34.1.1.2), which the drivers do not read themselves.
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  // A URL with a user and without a host is usual for PostgreSQL, and invalid for browsers.
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
