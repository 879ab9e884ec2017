import { join } from 'node:path'
import type { Config } from './config.ts'
import {
  getSecretFingerprint,
  recordSecretFingerprint,
  replaceSecretFingerprint,
} from './features/installation/index.ts'
import type { Sql } from './lib/db.ts'
import { fingerprintOf, loadOrCreateSecret, loadSecret } from './lib/encryption.ts'

const ifLost =
  'If it is lost, run "npx bun run tidings secret replace"; then every connection has to be created again.'

/**
 * The installation's secret. The first start creates it. Throws a sentence that says what to do when
 * the database was used with another secret: with a new one, nothing stored could be decrypted.
 */
export async function requireSecret(sql: Sql, config: Config): Promise<string> {
  const known = await getSecretFingerprint(sql)
  const file = join(config.dataDir, 'secret')
  const given = config.secret ?? (await loadSecret(config.dataDir))
  if (given === null && known !== null) {
    throw new Error(
      `The secret of this installation is missing: there is no file ${file}, and TIDINGS_SECRET is not set. Restore the file from a backup or set TIDINGS_SECRET. ${ifLost}`,
    )
  }
  const secret = given ?? (await loadOrCreateSecret(config.dataDir))
  const fingerprint = fingerprintOf(secret)
  if ((await recordSecretFingerprint(sql, fingerprint)) === fingerprint) return secret
  const source = config.secret === null ? `in the file ${file}` : 'in TIDINGS_SECRET'
  throw new Error(
    `The secret ${source} is not the one that this database was used with. Restore the right one. ${ifLost}`,
  )
}

/** Accepts the present secret, or creates one, instead of a lost one. Returns the secret. */
export async function replaceSecret(sql: Sql, config: Config): Promise<string> {
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir))
  await replaceSecretFingerprint(sql, fingerprintOf(secret))
  return secret
}
