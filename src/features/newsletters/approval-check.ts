import type { NewsletterStatus } from '../../contract/vocabulary.ts'
import type { TxContext } from '../../lib/context.ts'
import { AppError } from '../../lib/errors.ts'
import { selectRequiresApproval } from './approval-sql.ts'
import type { NewsletterRow } from './sql.ts'

const reason = 'a second person has not approved it as it is'

/**
 * Throws `invalid_transition` when the team requires an approval and the newsletter has none for its
 * content: an approval ends with every change.
 */
export async function requireApproval(
  { sql, actor }: TxContext,
  { status, approved_by }: NewsletterRow,
  { isUnchanged, to }: { isUnchanged: boolean; to: NewsletterStatus | undefined },
): Promise<void> {
  if (to !== 'ready' && to !== 'sent') return
  if (status === to || (approved_by !== null && isUnchanged)) return
  if (!(await selectRequiresApproval(sql, actor.teamId))) return
  throw new AppError('invalid_transition', `The newsletter cannot become ${to}: ${reason}.`, {
    extra: { from: status, to, allowed: [], missing: [reason] },
  })
}
