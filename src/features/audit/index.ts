import type { Now } from '../../lib/clock.ts'
import { type Sql, type Tx, withDeadline } from '../../lib/db.ts'
import { newId } from '../../lib/ids.ts'

/** What is written down, with the words people read. */
export const auditActions = {
  signed_in: 'signed in',
  sign_in_failed: 'failed to sign in',
  signed_out: 'signed out',
  signed_out_everywhere: 'signed out everywhere',
  signed_out_elsewhere: 'signed out everywhere else',
  session_ended: 'ended their session in',
  password_changed: 'changed their password',
  password_reset: 'set a new password by a link',
  password_link_made: 'made a link for a new password for',
  team_created: 'set up the team',
  team_changed: 'changed the team’s details',
  member_added: 'added',
  member_invited: 'invited',
  member_joined: 'joined',
  member_role_changed: 'changed the role of',
  member_removed: 'removed',
  key_created: 'made the API key',
  key_rotated: 'rotated the API key',
  key_revoked: 'revoked the API key',
} as const
export type AuditAction = keyof typeof auditActions

/** Who does something, and from where. */
export interface Actor {
  teamId: string
  /** Name and address, as they are now. */
  name: string
  /** The client's network address; null for the command line. */
  address: string | null
}

export interface AuditEntry {
  id: string
  action: AuditAction
  actor: string
  /** Whom or what it was done to. */
  subject: string | null
  address: string | null
  created_at: Date
}

/** Writes down what somebody did; `subject` says to whom or what, and never holds a secret. */
export async function recordAudit(
  sql: Sql | Tx,
  now: Now,
  { teamId, name, address }: Actor,
  action: AuditAction,
  subject: string | null = null,
): Promise<void> {
  const at = now()
  await withDeadline(sql`
    insert into audit_log (id, team_id, action, actor, subject, address, created_at)
    values (${newId('au', at)}, ${teamId}, ${action}, ${name}, ${subject}, ${address}, ${at})`)
}

/** What was done in a team, newest first; `before` is the id to read on from. */
export async function listAudit(
  sql: Sql,
  teamId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  return await withDeadline(sql<AuditEntry[]>`
    select id, action, actor, subject, address, created_at from audit_log
    where team_id = ${teamId} and (${before ?? null}::text is null or id < ${before ?? null})
    order by id desc limit ${limit}`)
}
