import { codeOf } from '../errors.ts'
import { withoutBrackets } from '../outbound/local-address.ts'
import { askForTls } from './ask-for-tls.ts'
import { connect, type DatabaseAddress, type Sql, withDeadline } from './db.ts'
import { databaseCauseOf } from './db-errors.ts'

const oldestVersion = 15

/** A database that Tidings cannot use. The message is for the person who starts Tidings. */
class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}

/**
 * Returns when Tidings can use the PostgreSQL of DATABASE_URL. Throws within 10 s an error that
 * says what is wrong and what to do. The message contains host, port and database, never the
 * password.
 */
export async function requireUsableDatabase(
  address: DatabaseAddress,
  responseTimeoutMs = 6_000,
): Promise<void> {
  const { at, database, user } = describeAddress(address)
  const server = serverOf(address)
  const response = server === null ? 'unknown' : await askForTls(server)
  if (response === 'not PostgreSQL') {
    throw new UnusableDatabaseError(sentenceFor('DEADLINE_PASSED', { at, database, user }))
  }
  if (response === 'refused' && typeof address === 'object' && 'url' in address && address.ssl) {
    throw new UnusableDatabaseError(
      `PostgreSQL at ${at} offers no TLS: set ssl=on there, or sslmode=disable in DATABASE_URL.`,
    )
  }
  const sql = connect(address, { name: 'tidings start', max: 1 })
  try {
    const facts = await withDeadline(loadFacts(sql), responseTimeoutMs)
    const problem = problemWith(facts, { at, database })
    if (problem !== null) throw new UnusableDatabaseError(problem)
  } catch (error) {
    if (error instanceof UnusableDatabaseError) throw error
    const cause = databaseCauseOf(error)
    const sentence = sentenceFor(codeOf(cause), { at, database, user })
    throw new UnusableDatabaseError(sentence, { cause })
  } finally {
    await sql.end({ timeout: 0 })
  }
}

interface Facts {
  version: number
  encoding: string
  read_only: boolean
  may_create: boolean
  /** Whether the settings of `connect` have reached the session. */
  has_settings: boolean
}

async function loadFacts(sql: Sql): Promise<Facts | undefined> {
  const [facts] = await sql<Facts[]>`
    select current_setting('server_version_num')::int / 10000 as version,
      current_setting('server_encoding') as encoding,
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as read_only,
      to_regclass('migrations') is not null or coalesce(has_schema_privilege(current_schema(), 'create')
        and has_database_privilege(current_database(), 'create'), false) as may_create,
      (select source in ('client', 'session') from pg_settings where name = 'statement_timeout') as has_settings`
  return facts
}

function problemWith(
  facts: Facts | undefined,
  { at, database }: Pick<DescribedAddress, 'at' | 'database'>,
): string | null {
  if (facts === undefined) return 'DATABASE_URL leads to a server that is not PostgreSQL.'
  const { version, encoding, may_create: mayCreate } = facts
  if (version < oldestVersion) {
    return `DATABASE_URL leads to PostgreSQL ${version}, and Tidings needs ${oldestVersion} or newer: upgrade the server, or set DATABASE_URL to another one.`
  }
  if (encoding !== 'UTF8') {
    return `The database ${database} has the encoding ${encoding}, which cannot store every character: create one with "create database ${database}_utf8 encoding 'UTF8' template template0" and set DATABASE_URL to it.`
  }
  if (facts.read_only) {
    return `The database ${database} is read-only: set DATABASE_URL to the primary server.`
  }
  if (!facts.has_settings) {
    return `The server at ${at} ignores the settings of sessions, as PgBouncer does with ignore_startup_parameters: set DATABASE_URL to PostgreSQL itself.`
  }
  return mayCreate
    ? null
    : `The user of DATABASE_URL may not create tables in the database ${database}: make that user its owner.`
}

interface DescribedAddress {
  at: string
  database: string
  user: string
}

/** The parts of the address that a message may contain, without the password. */
function describeAddress(address: DatabaseAddress): DescribedAddress {
  if (typeof address === 'object' && 'host' in address) {
    return { at: address.host, database: address.database, user: address.username }
  }
  const parts = URL.parse(typeof address === 'string' ? address : address.url)
  const database = decodeURIComponent(parts?.pathname.slice(1) ?? '')
  return {
    at: parts?.host ? `${parts.hostname}:${parts.port || 5432}` : 'the address in DATABASE_URL',
    database: database || 'of that user',
    user: decodeURIComponent(parts?.username ?? ''),
  }
}

/** The host and port of a server; null for a Unix socket, and for an address that the driver reads. */
function serverOf(address: DatabaseAddress): { host: string; port: number } | null {
  if (typeof address === 'object' && 'host' in address) return null
  const parts = URL.parse(typeof address === 'string' ? address : address.url)
  if (!parts?.hostname || parts.hostname.includes(',')) return null
  return { host: withoutBrackets(parts.hostname), port: Number(parts.port || 5432) }
}

/** No certificate of a known CA (OpenSSL, X509_STORE_CTX_get_error). */
const certificateErrors = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** The message for an error code of the network, the driver or PostgreSQL (Appendix A). */
function sentenceFor(code: string, { at, database, user }: DescribedAddress): string {
  const sentences: Record<string, string> = {
    ECONNREFUSED: `No server accepts connections at ${at}: start PostgreSQL there, or correct DATABASE_URL.`,
    ENOTFOUND: `The host of DATABASE_URL (${at}) does not exist: correct DATABASE_URL.`,
    DEADLINE_PASSED: `The server at ${at} does not answer as PostgreSQL does: correct the port in DATABASE_URL.`,
    ERR_TLS_CERT_ALTNAME_INVALID: `The certificate of PostgreSQL at ${at} is for another host: correct the host in DATABASE_URL, or set sslmode=verify-ca there.`,
    CERT_HAS_EXPIRED: `The certificate of PostgreSQL at ${at} has expired: renew it there.`,
    '08P01': `The server at ${at} refuses the settings of sessions, as PgBouncer does: set DATABASE_URL to PostgreSQL itself.`,
    '28P01': `PostgreSQL at ${at} refused the password of the user ${user}: correct DATABASE_URL.`,
    '28000': `PostgreSQL at ${at} refused the user ${user}: correct DATABASE_URL, or allow that user in pg_hba.conf.`,
    '3D000': `The database ${database} does not exist at ${at}: create it with "create database ${database} encoding 'UTF8' template template0".`,
    '42501': `The user ${user} may not connect to the database ${database} at ${at}: make that user its owner.`,
    '42704': `PostgreSQL at ${at} does not know a parameter of DATABASE_URL: remove what follows the question mark, apart from sslmode and sslrootcert.`,
    '53300': `PostgreSQL at ${at} has no free connection: raise the limit there (max_connections, or that of the user or the database), or lower DB_POOL.`,
    '57P03': `PostgreSQL at ${at} is starting or stopping: start again when it accepts connections.`,
  }
  if (certificateErrors.has(code)) {
    return `The certificate of PostgreSQL at ${at} is not accepted (${code}): set sslrootcert in DATABASE_URL to the file with the certificate of its CA.`
  }
  // PostgreSQL deletes its Unix socket when it stops.
  sentences['ENOENT'] = sentences['ECONNREFUSED'] ?? ''
  sentences['CONNECT_TIMEOUT'] = sentences['DEADLINE_PASSED'] ?? ''
  sentences['CONNECTION_CLOSED'] = sentences['DEADLINE_PASSED'] ?? ''
  return (
    sentences[code] ??
    `PostgreSQL at ${at} cannot be used (${code || 'unknown error'}): correct DATABASE_URL.`
  )
}
