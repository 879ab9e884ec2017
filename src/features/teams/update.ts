import type * as v from 'valibot'
import type { TeamChange } from '../../contract/team.ts'
import { type Context, inTransaction } from '../../lib/context.ts'
import { newLinkToken } from '../../lib/ids.ts'
import { recordAudit } from '../audit-log/index.ts'
import { updateTeamRow } from './sql.ts'

/** Changes the given details of a team. */
export async function updateTeam(
  ctx: Context,
  change: v.InferOutput<typeof TeamChange>,
): Promise<void> {
  await inTransaction(ctx, async (txCtx) => {
    const token = change.archive && change.archive !== 'off' ? newLinkToken() : null
    await updateTeamRow(txCtx.sql, ctx.actor.teamId, change, token)
    await recordAudit(txCtx, 'team_changed', change.name)
  })
}
