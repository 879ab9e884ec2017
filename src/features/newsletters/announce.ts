import { memberIdOf, type TxContext } from '../../lib/context.ts'
import { sendChange } from '../../lib/database/changes.ts'

/** Tells open pages of a newsletter, when the transaction is committed, that it has its next version. */
export async function announceVersion(
  ctx: TxContext,
  { id, version }: { id: string; version: number },
): Promise<void> {
  const team = ctx.actor.teamId
  const by = memberIdOf(ctx)
  await sendChange(ctx.sql, { topic: 'newsletter', team, newsletter: id, version: version + 1, by })
}
