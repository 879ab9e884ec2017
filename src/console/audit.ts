import { findAccount } from '../features/accounts/index.ts'
import { type AuditAction, recordAudit } from '../features/audit-log/index.ts'
import { listMemberships } from '../features/members/index.ts'
import { type ConsoleRequest, type MemberRequest, memberContext } from './http/context.ts'

/** Writes into the team's audit log what its member just did; `subject` says to whom or what. */
export async function recordAuditFor(
  { ctx }: MemberRequest,
  action: AuditAction,
  subject?: string,
): Promise<void> {
  await recordAudit(ctx, action, subject)
}

/**
 * Writes into the audit logs of all teams of an account what happened to it. Does not keep anybody
 * waiting: an answer must not take longer because an account exists.
 */
export function recordAuditForAccount(
  context: ConsoleRequest,
  email: string,
  action: AuditAction,
): void {
  const { deps, address } = context
  const work = async () => {
    const account = await findAccount(deps.sql, email)
    if (!account) return
    for (const membership of await listMemberships(deps.sql, account.id)) {
      await recordAudit(memberContext(deps, membership, address), action)
    }
  }
  work().catch((err: unknown) => deps.log.error({ err }, 'the audit log was not written'))
}
