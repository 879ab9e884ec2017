import { memberIdOf, type TxContext } from '../../lib/context.ts'
import { sendChange } from '../../lib/database/changes.ts'

/** The pages that show the block learn that its comments or its assignee changed. */
export const announceDiscussion = (ctx: TxContext, blockId: string): Promise<void> =>
  sendChange(ctx.sql, {
    topic: 'blocks',
    team: ctx.actor.teamId,
    blocks: [blockId],
    by: memberIdOf(ctx),
  })
