import { join } from 'node:path'
import type { Config } from '../config/index.ts'
import { encryptedEmailColumn } from '../features/account-emails/index.ts'
import { encryptedConnectionColumn } from '../features/connections/index.ts'
import {
  encryptedDeliveryColumn,
  encryptedSenderNotificationColumn,
} from '../features/deliveries/index.ts'
import {
  findSecretFingerprint,
  type RotationResult,
  recordSecretFingerprint,
  replaceSecretFingerprint,
  rotateEncryption,
} from '../features/installation/index.ts'
import { encryptedSecondFactorColumns } from '../features/sessions/index.ts'
import type { ServiceContext } from '../lib/context.ts'
import { type EncryptedColumn, fingerprintOf } from '../lib/secrets/encryption.ts'
import { isGuessable } from '../lib/secrets/guessable.ts'
import {
  loadNextSecret,
  loadOrCreateSecret,
  loadSecret,
  newSecret,
  promoteNextSecret,
  saveNextSecret,
} from '../lib/secrets/secret-file.ts'

/** Every column with values that the secret encrypts. */
export const encryptedColumns: readonly EncryptedColumn[] = [
  encryptedConnectionColumn,
  encryptedDeliveryColumn,
  encryptedSenderNotificationColumn,
  encryptedEmailColumn,
  ...encryptedSecondFactorColumns,
]

const ifLost =
  'If it is lost, run "npx bun run tidings secret replace"; then every connection has to be created again.'

/**
 * The installation's secret. The first start creates it. Throws an error that says what to do when
 * the database was used with another secret, because stored values could not be decrypted.
 */
export async function requireSecret(ctx: ServiceContext, config: Config): Promise<string> {
  const known = await findSecretFingerprint(ctx)
  const file = join(config.dataDir, 'secret')
  const given = config.secret ?? (await loadStoredSecret(config.dataDir, known))
  if (given === null && known !== null) {
    throw new Error(
      `The secret of this installation is missing: there is no file ${file}, and TIDINGS_SECRET is not set. Restore the file from a backup or set TIDINGS_SECRET. ${ifLost}`,
    )
  }
  // An installation that was used with a guessable secret still starts, with a warning.
  if (given !== null && known === null) requireStrong(config, given)
  const secret = given ?? (await loadOrCreateSecret(config.dataDir))
  const fingerprint = fingerprintOf(secret)
  if ((await recordSecretFingerprint(ctx, fingerprint)) === fingerprint) return secret
  throw new Error(
    `The secret ${sourceOf(config)} is not the one that this database was used with. Restore the right one. ${ifLost}`,
  )
}

/**
 * The secret in `dataDir`. Completes a rotation or a restore that ended after the database and before
 * the file was changed.
 */
async function loadStoredSecret(dataDir: string, known: string | null): Promise<string | null> {
  const next = await loadNextSecret(dataDir)
  if (next !== null && fingerprintOf(next) === known) await promoteNextSecret(dataDir)
  return await loadSecret(dataDir)
}

const sourceOf = ({ secret, dataDir }: Config): string =>
  secret === null ? `in the file ${join(dataDir, 'secret')}` : 'in TIDINGS_SECRET'

function requireStrong(config: Config, secret: string): void {
  if (!isGuessable(secret)) return
  throw new Error(
    `The secret ${sourceOf(config)} can be guessed. Use the output of: openssl rand -hex 32`,
  )
}

/** A sentence for the log when the secret of an installation can be guessed, else null. */
export const secretWarning = (secret: string): string | null =>
  isGuessable(secret)
    ? 'The secret of this installation can be guessed. Stop the service, run "npx bun run tidings secret rotate", and start it again.'
    : null

/** Accepts the present secret, or creates one, to replace a lost one. Returns the secret. */
export async function replaceSecret(ctx: ServiceContext, config: Config): Promise<string> {
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir))
  requireStrong(config, secret)
  await replaceSecretFingerprint(ctx, fingerprintOf(secret))
  return secret
}

/**
 * Encrypts every stored value with a new secret, and makes it the secret of the installation. After
 * a crash at any point the installation starts: the new secret is stored beside the present one
 * before the database changes, and `requireSecret` completes the rotation.
 */
export async function rotateSecret(ctx: ServiceContext, config: Config): Promise<RotationResult> {
  const from = await requireSecret(ctx, config)
  if (config.secret !== null && config.newSecret === null) {
    throw new Error(
      'Set TIDINGS_NEW_SECRET to the new secret, such as the output of: openssl rand -hex 32',
    )
  }
  const to = config.newSecret ?? newSecret()
  if (to === from) throw new Error('TIDINGS_NEW_SECRET is the present secret. Choose another one.')
  if (isGuessable(to)) {
    throw new Error('TIDINGS_NEW_SECRET can be guessed. Use the output of: openssl rand -hex 32')
  }
  if (config.secret === null) await saveNextSecret(config.dataDir, to)
  const rotated = await rotateEncryption(ctx, { columns: encryptedColumns, from, to })
  if (config.secret === null) await promoteNextSecret(config.dataDir)
  return rotated
}
