import * as v from 'valibot'
import { inTransaction, type ReadContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'
import type { ConnectionContext } from './context.ts'
import { decryptSettings, encryptionContext } from './secrets/decrypted-connection.ts'
import { lockSettings, updateSettings } from './sql.ts'

const Registration = v.object({
  /** Changes with everything that is registered. */
  fingerprint: v.string(),
  /** When it was tried last, RFC 3339. */
  at: v.string(),
  /** Why the provider refused it; null when it is registered. */
  reason: v.nullable(v.string()),
  /** Whether it is removed at the provider with the connection. */
  isRemovable: v.exactOptional(v.boolean()),
})

/** The last attempt to register a connection at its provider. */
type Registration = v.InferOutput<typeof Registration>

/** What was registered of a connection; null before the first attempt. */
export async function findRegistration(
  { sql, actor: { teamId } }: ReadContext,
  { connectionId }: { connectionId: string },
): Promise<Registration | null> {
  const [row] = await withDeadline(selectRegistration(sql, teamId, connectionId))
  const parsed = v.safeParse(Registration, row?.registration)
  return parsed.success ? parsed.output : null
}

/** Stores the result of an attempt, and the secret settings that the provider has given: null leaves those of before. */
export async function saveRegistration(
  ctx: ConnectionContext,
  {
    connectionId,
    registration,
    registered,
  }: {
    connectionId: string
    registration: Registration
    registered: Record<string, string> | null
  },
): Promise<void> {
  const { encryption, actor } = ctx
  const { teamId } = actor
  await inTransaction(ctx, async ({ sql }) => {
    const row = await lockSettings(sql, teamId, connectionId)
    if (!row) return
    await updateRegistration(sql, teamId, connectionId, registration)
    if (registered === null) return
    const decrypted = decryptSettings(encryption, connectionId, row.encrypted)
    const encrypted = encryption.encrypt(encryptionContext(connectionId), {
      ...decrypted,
      registered,
    })
    const { settings } = row
    await updateSettings(sql, { id: connectionId, team_id: teamId, settings, encrypted })
  })
}

const selectRegistration = (sql: Sql | Tx, teamId: string, connectionId: string) =>
  sql<{ registration: unknown }[]>`
    select registration from connections where team_id = ${teamId} and id = ${connectionId}`

const updateRegistration = (
  sql: Sql | Tx,
  teamId: string,
  connectionId: string,
  value: Registration,
) =>
  sql`
    update connections set registration = ${sql.json(value)}
    where team_id = ${teamId} and id = ${connectionId} and removed_at is null`
