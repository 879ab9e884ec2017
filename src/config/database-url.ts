import * as v from 'valibot'
import {
  hasRootCertificate,
  hasSslMode,
  parseDatabaseUrl,
  readDatabaseUrl,
} from '../lib/database/database-url.ts'
import { isEncoded } from './values.ts'

/** True unless the first host of a URL has a port that no server can have. */
const hasPort = (url: string): boolean =>
  Number(/^[^/]*\/\/(?:[^/@]*@)?[^/,?]*?:(\d+)(?:[/,?]|$)/.exec(url)?.[1] ?? 1) <= 65_535

/** True when the drivers can read a URL, whose host does not begin in the middle of a password. */
function isReadable(url: string): boolean {
  const parsed = readDatabaseUrl(url)
  return parsed !== null && (`${parsed.username}${parsed.password}` !== '' || !url.includes('@'))
}

const requirements: readonly [isMet: (url: string) => boolean, message: string][] = [
  [(url) => /^postgres(?:ql)?:\/\//.test(url), 'must start with postgres://'],
  [isEncoded, 'must contain a % in the name or password as %25'],
  [hasPort, 'must have a port below 65536'],
  [isReadable, 'must have a host, and /, ? and # in the name or password as %2F, %3F and %23'],
  [hasSslMode, 'must have as sslmode one of disable, require, verify-ca and verify-full'],
  [hasRootCertificate, 'must have as sslrootcert a file with certificates that can be read'],
]

/** The address of PostgreSQL. Only the first thing that is wrong is reported. */
export const databaseUrl = v.pipe(
  v.string(),
  v.trim(),
  v.rawCheck(({ dataset, addIssue }) => {
    const wrong = dataset.typed && requirements.find(([isMet]) => !isMet(dataset.value))
    if (wrong) addIssue({ message: wrong[1] })
  }),
  v.transform(parseDatabaseUrl),
)
