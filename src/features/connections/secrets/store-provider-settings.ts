import * as v from 'valibot'
import type { SettingsSchema } from '../../../contract/settings.ts'
import { type Tx, transaction } from '../../../lib/database/db.ts'
import { splitSettings } from '../settings/parse-settings.ts'
import { lockSettings, updateSettings } from '../sql.ts'
import {
  type ConnectionDeps,
  type DecryptedConnection,
  decryptSettings,
  encryptionContext,
} from './decrypted-connection.ts'

/** Stores settings that the provider sent. A setting that has a value keeps it. */
export async function storeProviderSettings(
  { sql, encryption }: ConnectionDeps,
  { id, teamId }: DecryptedConnection,
  schema: SettingsSchema,
  received: Record<string, string>,
): Promise<void> {
  const storeSettings = async (tx: Tx) => {
    const row = await lockSettings(tx, teamId, id)
    if (!row) return
    const decrypted = decryptSettings(encryption, id, row.encrypted)
    const known = { ...row.settings, ...decrypted.settings }
    const all = { ...onlySettings(schema, received), ...onlySettings(schema, known) }
    // Settings from a provider must not make the settings of the connection invalid.
    if (!v.is(schema, all)) return
    const { plain, secret } = splitSettings(schema, all)
    const added = Object.keys(secret).filter((name) => !Object.hasOwn(known, name))
    const unseenSecrets = [...decrypted.unseenSecrets, ...added]
    await updateSettings(tx, {
      id,
      team_id: teamId,
      settings: { ...row.settings, ...plain },
      encrypted: encryption.encrypt(encryptionContext(id), {
        ...decrypted,
        settings: secret,
        unseenSecrets,
      }),
    })
  }
  await transaction(sql, storeSettings)
}

const onlySettings = (schema: SettingsSchema, values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(schema.entries, name)))
