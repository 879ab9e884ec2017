import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import type { EncryptedColumn } from '../../../lib/secrets/encryption.ts'
import { authKeyOf } from '../better-auth/options.ts'

const betterAuthColumn = (column: string): EncryptedColumn => ({
  table: 'two_factors',
  column,
  async reencrypt(_id, value, { from, to }) {
    const data = await symmetricDecrypt({ key: authKeyOf(from), data: String(value) })
    return await symmetricEncrypt({ key: authKeyOf(to), data })
  },
})

/** The values that better-auth encrypts, for the rotation of the secret. */
export const encryptedSecondFactorColumns: readonly EncryptedColumn[] = [
  betterAuthColumn('secret'),
  betterAuthColumn('backup_codes'),
]
