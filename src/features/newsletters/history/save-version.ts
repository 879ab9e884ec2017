import { memberIdOf, type TxContext } from '../../../lib/context.ts'
import { sendChange } from '../../../lib/database/changes.ts'
import { recordNewsletterVersion } from '../../versions/index.ts'

/**
 * Stores the version of a newsletter that was just made in its history, and notifies its open pages when
 * the transaction is committed. `version` is the one before, `restored` the earlier one whose content it has again.
 */
export async function saveVersion(
  ctx: TxContext,
  { id, version, restored }: { id: string; version: number; restored?: number | undefined },
): Promise<void> {
  await recordNewsletterVersion(ctx, { id, restored })
  const team = ctx.actor.teamId
  const by = memberIdOf(ctx)
  await sendChange(ctx.sql, { topic: 'newsletter', team, newsletter: id, version: version + 1, by })
}
