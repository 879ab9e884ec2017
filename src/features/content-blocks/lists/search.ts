import type { Context } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { listBlocks } from './list.ts'
import { type FoundBlock, selectBlocksByTitle } from './search-sql.ts'

export type { FoundBlock }

const everything = { status: [], blockType: [], source: [], eventSlug: [] }
const unlimited = { fromId: null, beforeId: null }

/**
 * The newest blocks whose title contains this text, among the newest 1,000, and those that contain its
 * words anywhere: `limit` at most.
 */
export async function searchBlocks(
  ctx: Context,
  { text, limit }: { text: string; limit: number },
): Promise<FoundBlock[]> {
  const [byTitle, { items: byWords }] = await Promise.all([
    withDeadline(selectBlocksByTitle(ctx.sql, ctx.actor.teamId, { text, limit })),
    listBlocks(ctx, {
      filter: { ...everything, ...unlimited, words: text },
      page: { page: 1, perPage: limit },
    }),
  ])
  const found = new Map([...byTitle, ...byWords].map((block) => [block.id, block]))
  return [...found.values()].slice(0, limit)
}
