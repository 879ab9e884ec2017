import type { TxContext } from '../../../lib/context.ts'
import { AppError } from '../../../lib/errors.ts'
import { lockNewsletter } from '../sql.ts'
import { missingNewsletter } from './transitions.ts'

/**
 * Locks a sent newsletter until the transaction ends, so that its sending is not undone meanwhile, and returns its
 * title. Throws `not_found`, and `invalid_transition` for a newsletter that is not sent.
 */
export async function lockSentNewsletter(
  { sql, actor }: TxContext,
  id: string,
): Promise<{ title: string }> {
  const newsletter = await lockNewsletter(sql, actor.teamId, id)
  if (!newsletter) throw missingNewsletter()
  if (newsletter.status !== 'sent') {
    throw new AppError('invalid_transition', 'Mark the newsletter as sent first. Then post it.')
  }
  return { title: newsletter.title }
}
