import type { Sql, Tx } from '../../../lib/database/db.ts'

/** Whether a second person has to approve the newsletters of a team. */
export async function selectRequiresApproval(sql: Sql | Tx, teamId: string): Promise<boolean> {
  const [row] = await sql<{ required: boolean }[]>`
    select requires_approval as required from teams where id = ${teamId}`
  return row?.required === true
}

/** Stores whether a second person has to approve the newsletters of a team; false without a difference. */
export async function updateRequiresApproval(
  tx: Tx,
  teamId: string,
  required: boolean,
): Promise<boolean> {
  const rows = await tx`
    update teams set requires_approval = ${required}
    where id = ${teamId} and requires_approval <> ${required} returning id`
  return rows.length > 0
}

/** Who approved a newsletter, who asked for that, and who changed it last. */
export interface ApprovalRow {
  required: boolean
  changed_by: string | null
  changed_by_name: string | null
  approved_by: string | null
  approved_by_name: string | null
  approved_at: Date | null
  /** A hash of the email that was approved. */
  approved_hash: string | null
  /** Who asked last for the approval, and when; null after an approval. */
  requested_by: string | null
  requested_by_name: string | null
  requested_at: Date | null
}

/** The approval of a newsletter. */
export async function selectApproval(
  sql: Sql | Tx,
  teamId: string,
  id: string,
): Promise<ApprovalRow | undefined> {
  const [row] = await sql<ApprovalRow[]>`
    select t.requires_approval as required, n.changed_by, c.name as changed_by_name,
      n.approved_by, a.name as approved_by_name, n.approved_at, n.approved_hash,
      n.approval_requested_by as requested_by, r.name as requested_by_name,
      n.approval_requested_at as requested_at
    from newsletters n join teams t on t.id = n.team_id
    left join members c on c.team_id = n.team_id and c.id = n.changed_by
    left join members a on a.team_id = n.team_id and a.id = n.approved_by
    left join members r on r.team_id = n.team_id and r.id = n.approval_requested_by
    where n.team_id = ${teamId} and n.id = ${id}`
  return row
}

/** Stores an approval, with which the newsletter is ready and the request is answered. */
export async function updateApproved(
  tx: Tx,
  teamId: string,
  id: string,
  { memberId, hash, at }: { memberId: string; hash: string; at: Date },
): Promise<void> {
  await tx`
    update newsletters
    set approved_by = ${memberId}, approved_at = ${at}, approved_hash = ${hash}, status = 'ready',
      approval_requested_at = null, approval_requested_by = null,
      version = version + 1, updated_at = ${at}
    where team_id = ${teamId} and id = ${id} and status <> 'sent'`
}

/** Stores who asks other editors to approve a newsletter; false when they were asked after `since`. */
export async function updateApprovalRequested(
  tx: Tx,
  teamId: string,
  id: string,
  { memberId, at, since }: { memberId: string; at: Date; since: Date },
): Promise<boolean> {
  const rows = await tx`
    update newsletters set approval_requested_at = ${at}, approval_requested_by = ${memberId}
    where team_id = ${teamId} and id = ${id}
      and (approval_requested_at is null or approval_requested_at <= ${since})
    returning id`
  return rows.length > 0
}
