import type { ServiceContext } from '../../lib/context.ts'
import { type AuditAction, recordAudit } from '../audit-log/index.ts'
import { listMemberships, memberActor } from '../members/index.ts'

/** What a function works with when a person changes their own account, whatever team they look at. */
export interface AccountContext extends ServiceContext {
  accountId: string
  /** The client's network address; null when it is not known. */
  address: string | null
}

/**
 * Writes an entry to the audit logs of all teams of the account. Call it in the transaction of the
 * change that it describes.
 */
export async function recordAccountAudit(
  ctx: AccountContext,
  action: AuditAction,
  subject: string | null = null,
): Promise<void> {
  const { sql, now, accountId, address } = ctx
  for (const membership of await listMemberships(sql, accountId)) {
    await recordAudit({ sql, now, actor: memberActor(membership, address) }, action, subject)
  }
}
