import { type AuditAction, recordAudit } from '../features/audit-log/index.ts'
import type { MemberRequest } from './http/context.ts'

/** Adds an entry to the team's audit log; `subject` names the changed object. */
export async function recordAuditFor(
  { ctx }: MemberRequest,
  action: AuditAction,
  subject?: string,
): Promise<void> {
  await recordAudit(ctx, action, subject)
}
