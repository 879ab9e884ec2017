import { type AuditAction, recordAudit } from '../features/audit-log/index.ts'
import type { MemberRequest } from './http/context.ts'

/** Writes into the team's audit log what its member just did; `subject` says to whom or what. */
export async function recordAuditFor(
  { ctx }: MemberRequest,
  action: AuditAction,
  subject?: string,
): Promise<void> {
  await recordAudit(ctx, action, subject)
}
