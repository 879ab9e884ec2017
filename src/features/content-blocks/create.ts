import { type NewBlock, newBlockDefaults } from '../../contract/block-input.ts'
import type { ContentBlock } from '../../contract/content-block.ts'
import type { BlockSource } from '../../contract/vocabulary.ts'
import type { Now } from '../../lib/clock.ts'
import type { Tx } from '../../lib/db.ts'
import { newId } from '../../lib/ids.ts'
import { prepareBody } from './body.ts'
import { insertBlock } from './sql.ts'
import { reload } from './update.ts'

/** Who makes a block, and by which way. */
export interface BlockCreator {
  teamId: string
  keyId: string | null
  source: BlockSource
}

/** Makes a block of a team. */
export async function createBlock(
  tx: Tx,
  now: Now,
  author: BlockCreator,
  input: NewBlock,
): Promise<ContentBlock> {
  const at = now()
  const id = newId('cb', at)
  await insertBlock(tx, {
    ...newBlockDefaults,
    ...input,
    ...prepareBody(input.body, input.body_format),
    id,
    team_id: author.teamId,
    source: author.source,
    api_key_id: author.keyId,
    created_at: at,
  })
  return await reload(tx, author.teamId, id)
}
