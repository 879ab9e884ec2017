import type { Context } from '../../../lib/context.ts'
import { withDeadline } from '../../../lib/database/db.ts'
import { listBlocks } from './list.ts'
import { type FoundBlock, selectNewestBlocks } from './search-sql.ts'

export type { FoundBlock }

const everything = { status: [], blockType: [], source: [], eventSlug: [] }
const unlimited = { fromId: null, beforeId: null }

/**
 * The newest blocks with these words, of which the last can be the beginning of one, and older blocks with these
 * words, too: `limit` at most.
 */
export async function searchBlocks(
  ctx: Context,
  { text, limit }: { text: string; limit: number },
): Promise<FoundBlock[]> {
  const [newest, { items: byWords }] = await Promise.all([
    withDeadline(selectNewestBlocks(ctx.sql, ctx.actor.teamId, { text, limit })),
    listBlocks(ctx, {
      filter: { ...everything, ...unlimited, words: text, isTyped: true },
      page: { page: 1, perPage: limit },
    }),
  ])
  const found = new Map([...newest, ...byWords].map((block) => [block.id, block]))
  return [...found.values()].slice(0, limit)
}
