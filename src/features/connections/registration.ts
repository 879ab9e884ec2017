import * as v from 'valibot'
import type { ReadContext } from '../../lib/context.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/database/db.ts'

const Registration = v.object({
  /** Changes with everything that is registered. */
  fingerprint: v.string(),
  /** When it was tried last, RFC 3339. */
  at: v.string(),
  /** Why the provider refused it; null when it is registered. */
  reason: v.nullable(v.string()),
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

/** Stores the result of an attempt. */
export async function saveRegistration(
  { sql, actor: { teamId } }: ReadContext,
  { connectionId, registration }: { connectionId: string; registration: Registration },
): Promise<void> {
  await withDeadline(updateRegistration(sql, teamId, connectionId, registration))
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
