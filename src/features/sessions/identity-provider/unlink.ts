import type { Context } from '../../../lib/context.ts'
import { inTransaction } from '../../../lib/context.ts'
import { type ChangeEmails, recordChangeByAdmin } from '../../account-emails/index.ts'
import { unlinkAccountsOf } from '../../chat-accounts/index.ts'
import { listMemberships } from '../../members/index.ts'
import { removeCredentials } from './remove-credentials.ts'
import { deleteIdentities } from './sql.ts'

/**
 * Removes the links of an account to identity providers and to accounts of chats, its password, its second factors and
 * its sessions. The next person with its verified address gets the account, and the previous one cannot use it any
 * more. The entry in the audit log of the actor's team names `subject`. Returns how many links to identity providers
 * there were.
 */
export async function unlinkIdentities(
  ctx: Context & ChangeEmails,
  { accountId, subject }: { accountId: string; subject: string },
): Promise<number> {
  return await inTransaction(ctx, async (txCtx) => {
    const unlinked = await deleteIdentities(txCtx.sql, accountId)
    if (unlinked === 0) return 0
    await removeCredentials(txCtx.sql, accountId)
    for (const { id: memberId, team_id: teamId } of await listMemberships(txCtx.sql, accountId))
      await unlinkAccountsOf(txCtx, { teamId, memberId })
    await recordChangeByAdmin(txCtx, { change: 'identity_unlinked', accountId, subject })
    return unlinked
  })
}
