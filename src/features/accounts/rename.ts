import { inTransaction } from '../../lib/context.ts'
import { renameMember } from '../members/index.ts'
import { type AccountContext, recordAccountAudit } from './account-context.ts'
import { updateAccountName } from './sql.ts'

/** Changes the name of a person in their account and in all their teams. */
export async function renameAccount(ctx: AccountContext, name: string): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const { sql, accountId } = txCtx
    await updateAccountName(sql, accountId, name)
    await renameMember(sql, accountId, name)
    await recordAccountAudit(txCtx, 'account_renamed', name)
  })
}
