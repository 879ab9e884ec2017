import type { Context, ServiceContext } from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { deleteInSlices } from '../../lib/database/delete-in-slices.ts'
import { firstIdAt, newId } from '../../lib/ids.ts'

/**
 * Every action that the log records, as people read it. The text is followed by the subject of the
 * entry.
 */
export const auditActions = {
  signed_in: 'Signed in',
  sign_in_failed: 'Failed to sign in',
  sign_in_link_made: 'Created a link for sign-in for',
  signed_in_with_link: 'Signed in with a link of the operator',
  identity_unlinked: 'Removed the link to the identity provider of',
  identity_linked: 'Signed in for the first time with',
  credentials_replaced: 'Replaced the password and the second factors by the sign-in with',
  signed_out: 'Signed out',
  signed_out_everywhere: 'Signed out on all devices',
  signed_out_elsewhere: 'Signed out on all other devices',
  session_ended: 'Ended a session',
  account_renamed: 'Changed the name of the account to',
  password_changed: 'Changed the password',
  password_reset: 'Set a new password with a link',
  password_link_made: 'Created a password link for',
  second_factor_failed: 'Entered a wrong code at sign-in',
  authenticator_added: 'Set up an authenticator app',
  authenticator_removed: 'Removed the authenticator app',
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  backup_code_used: 'Signed in with a backup code',
  backup_codes_created: 'Created new backup codes',
  second_factor_reset: 'Reset the second factor of a member',
  second_factor_required: 'Made a second factor required',
  second_factor_optional: 'Made a second factor optional',
  team_created: 'Created the team',
  team_changed: 'Changed the team details',
  member_added: 'Added a member',
  member_invited: 'Invited a member',
  member_joined: 'Joined the team',
  invitation_failed: 'Failed to send an invitation to',
  member_role_changed: 'Changed the role of a member',
  member_removed: 'Removed a member',
  key_created: 'Created an API key',
  key_rotated: 'Rotated an API key',
  key_revoked: 'Revoked an API key',
  connection_created: 'Created a connection',
  connection_route_added: 'Added a route of a connection',
  connection_route_removed: 'Removed a route of a connection',
  connection_changed: 'Changed the settings of a connection',
  connection_key_rotated: 'Replaced the key of a connection',
  connection_secret_shown: 'Viewed the secrets of a connection',
  connection_disconnected: 'Lost a connection, because its app was removed at the provider:',
  connection_removed: 'Removed a connection',
  block_created: 'Created a block',
  block_updated: 'Changed a block',
  block_reviewed: 'Changed the status of a block',
  block_declined: 'Declined a block',
  block_deleted: 'Deleted a block',
  block_restored: 'Restored a block',
  block_version_restored: 'Restored an earlier version of a block',
  block_commented: 'Commented on a block',
  block_comment_deleted: 'Deleted a comment on a block',
  block_assigned: 'Assigned a block',
  block_unassigned: 'Removed the assignment of a block',
  newsletter_created: 'Created a newsletter',
  newsletter_updated: 'Changed a newsletter',
  newsletter_version_restored: 'Restored an earlier version of a newsletter',
  newsletter_approved: 'Approved a newsletter',
  approval_requested: 'Asked for the approval of a newsletter',
  approval_required: 'Made the approval of newsletters required',
  approval_optional: 'Made the approval of newsletters optional',
  sending_changed: 'Changed when newsletters are prepared',
  newsletter_sent: 'Marked a newsletter as sent',
  newsletter_posted: 'Posted a newsletter to a chat',
  newsletter_post_scheduled: 'Planned to post a newsletter to a chat',
  newsletter_post_cancelled: 'Cancelled a planned post of a newsletter',
  newsletter_send_undone: 'Undid that a newsletter was marked as sent',
  newsletter_exported: 'Exported a newsletter',
  newsletter_deleted: 'Deleted a newsletter',
  preview_sent: 'Sent a preview of a newsletter',
  preview_link_created: 'Created a link to a preview of a newsletter',
  first_steps_hidden: 'Hid the first steps',
  template_created: 'Created a template',
  template_updated: 'Changed a template',
  template_deleted: 'Deleted a template',
  event_created: 'Created an event',
  event_updated: 'Changed an event',
  event_deleted: 'Deleted an event',
  image_uploaded: 'Uploaded an image',
  submission_link_created: 'Created a link for submissions',
  submission_link_changed: 'Changed who may use the link for submissions',
  submission_link_deleted: 'Deleted the link for submissions',
  archive_link_replaced: 'Replaced the link of the archive',
  archive_feed_created: 'Created a link of the feed of the archive',
  archive_feed_deleted: 'Deleted the link of the feed of the archive',
  chat_message_retried: 'Sent a message to a chat again:',
  chat_account_linked: 'Linked an account of a chat:',
  chat_account_unlinked: 'Removed the link to an account of a chat:',
  prompts_changed: 'Changed when a chat is asked for news',
  prompts_muted: 'Stopped the questions in the channel',
  prompts_unmuted: 'Started the questions again in the channel',
  delivery_replayed: 'Processed a delivery again',
  job_retried: 'Retried a failed job:',
} as const
export type AuditAction = keyof typeof auditActions

/** True for the name of an action that the log records. */
export function isAuditAction(name: string): name is AuditAction {
  return Object.hasOwn(auditActions, name)
}

/** An entry of the log, as the database stores it. */
export interface AuditEntry {
  id: string
  action: AuditAction
  actor: string
  /** The person or thing that the action changed. */
  subject: string | null
  address: string | null
  created_at: Date
}

/**
 * Writes an entry to the audit log of the actor's team. `subject` names the person or thing that
 * the action changed, and never contains a secret. Call it in the transaction of the change.
 */
export async function recordAudit(
  ctx: Context,
  action: AuditAction,
  subject: string | null = null,
): Promise<void> {
  await recordAuditEach(ctx, action, [subject])
}

/** Writes an entry as `recordAudit` does for each of several subjects. */
export async function recordAuditEach(
  { sql, now, actor }: Context,
  action: AuditAction,
  subjects: readonly (string | null)[],
): Promise<void> {
  if (subjects.length === 0) return
  const at = now()
  const address = actor.kind === 'member' ? actor.address : null
  const entry = { team_id: actor.teamId, action, actor: actor.name, address, created_at: at }
  const rows = subjects.map((subject) => ({ ...entry, id: newId('au', at), subject }))
  await withDeadline(sql`insert into audit_log ${sql(rows)}`)
}

/** Which entries of the log a page shows; without a value, all of them. */
export interface AuditFilter {
  action?: AuditAction | undefined
  /** The actor as the log names it: name and address. */
  actor?: string | undefined
}

/** The entries of a team's log, newest first: `limit` of them, before the id `before`. */
export async function listAudit(
  { sql, actor: { teamId } }: Context,
  { before, limit, action, actor }: AuditFilter & { before?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  return await withDeadline(sql<AuditEntry[]>`
    select id, action, actor, subject, address, created_at from audit_log
    where team_id = ${teamId}
      ${action === undefined ? sql`` : sql`and action = ${action}`}
      ${actor === undefined ? sql`` : sql`and actor = ${actor}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`)
}

/** The number of times that the actor has done one of these actions since a moment. */
export async function countOwnActions(
  { sql, actor }: Context,
  { actions, since }: { actions: readonly AuditAction[]; since: Date },
): Promise<number> {
  const [row] = await withDeadline(sql<{ count: number }[]>`
    select count(*)::integer as count from audit_log
    where team_id = ${actor.teamId} and actor = ${actor.name} and id >= ${firstIdAt('au', since)}
      and action = any(${[...actions]})`)
  return row?.count ?? 0
}

/** How long entries are stored, in days; the database refuses to delete an entry earlier. */
export const auditRetentionDays = 400

/** Purges the entries of all teams whose retention has ended. */
export async function purgeAuditLog({ sql, now }: ServiceContext): Promise<void> {
  // One hour more, because the clock of the database decides whether the entry may be deleted.
  const before = new Date(now().getTime() - (auditRetentionDays * 24 + 1) * 3_600_000)
  // Team by team, so that PostgreSQL uses the index of the lists.
  const due = sql`team_id = any(array(select id from teams)) and id < ${firstIdAt('au', before)}`
  await deleteInSlices(sql, 'audit_log', due)
}
