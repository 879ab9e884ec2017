import type { Now } from '../../lib/clock.ts'
import type { Context } from '../../lib/context.ts'
import { type Sql, withDeadline } from '../../lib/db.ts'
import { firstIdAt, newId } from '../../lib/ids.ts'

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
  invitation_failed: 'could not mail the invitation to',
  member_role_changed: 'changed the role of',
  member_removed: 'removed',
  key_created: 'made the API key',
  key_rotated: 'rotated the API key',
  key_revoked: 'revoked the API key',
  connection_created: 'connected',
  connection_changed: 'changed the settings of the connection',
  connection_key_rotated: 'replaced the key of the connection',
  connection_secret_shown: 'was shown what the provider told the connection',
  connection_removed: 'disconnected',
  block_deleted: 'deleted the block',
  block_restored: 'brought back the block',
  delivery_replayed: 'sent on its way again the delivery',
} as const
export type AuditAction = keyof typeof auditActions

/** True for the name of something that is written down. */
export function isAuditAction(name: string): name is AuditAction {
  return Object.hasOwn(auditActions, name)
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

/**
 * Writes an entry to the audit log of the actor's team. `subject` says whom or what the action was
 * done to, and never contains a secret. Call it in the transaction of the change that it describes.
 */
export async function recordAudit(
  { sql, now, actor }: Context,
  action: AuditAction,
  subject: string | null = null,
): Promise<void> {
  const at = now()
  const address = actor.kind === 'member' ? actor.address : null
  await withDeadline(sql`
    insert into audit_log (id, team_id, action, actor, subject, address, created_at)
    values (${newId('au', at)}, ${actor.teamId}, ${action}, ${actor.name}, ${subject}, ${address}, ${at})`)
}

/** Which entries of the log are wanted; what is left out matches all. */
export interface AuditFilter {
  action?: AuditAction | undefined
  /** As the log has it: name and address. */
  actor?: string | undefined
}

/** What was done in a team, newest first; `before` is the id to read on from. */
export async function listAudit(
  sql: Sql,
  teamId: string,
  { before, limit }: { before?: string | undefined; limit: number },
  { action, actor }: AuditFilter = {},
): Promise<AuditEntry[]> {
  return await withDeadline(sql<AuditEntry[]>`
    select id, action, actor, subject, address, created_at from audit_log
    where team_id = ${teamId}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${actor === undefined ? sql`` : sql`and actor = ${actor}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`)
}

/** How long the log is kept; the database refuses to forget anything earlier. */
export const auditRetentionDays = 400

/** Forgets what was done too long ago, of all teams. */
export async function purgeAuditLog(sql: Sql, now: Now): Promise<void> {
  // An hour more, since the database's own clock decides whether it lets go.
  const before = new Date(now().getTime() - (auditRetentionDays * 24 + 1) * 3_600_000)
  // Team by team, along the index that lists are read by.
  await withDeadline(sql`
    delete from audit_log a using teams t
    where a.team_id = t.id and a.id < ${firstIdAt('au', before)}`)
}
