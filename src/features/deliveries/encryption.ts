import { encryptedColumn } from '../../lib/secrets/encryption.ts'

/** The additional data that a delivery's encrypted value is bound to. */
export const encryptionContext = (id: string) => `deliveries/${id}`

/** The encrypted values of deliveries, for the rotation of the secret. */
export const encryptedDeliveryColumn = encryptedColumn(
  'deliveries',
  'ephemeral_context',
  encryptionContext,
)
