import type { Tx } from '../../lib/db.ts'
import { markBlocksUsed } from '../content-blocks/index.ts'
import { keepSentImages } from '../images/index.ts'
import { selectNewsletterBlocks, snapshotBlocks } from './blocks-sql.ts'
import { renderForSending } from './preview.ts'
import { type NewsletterRow, updateNewsletterRow } from './sql.ts'

export async function send(tx: Tx, newsletter: NewsletterRow): Promise<void> {
  const { team_id: teamId, id, updated_at: at } = newsletter
  const snapshot = await renderForSending(tx, newsletter, at)
  await updateNewsletterRow(tx, newsletter, snapshot)
  await keepSentImages({ sql: tx, now: () => at }, { teamId, html: snapshot.html })
  const ids = (await selectNewsletterBlocks(tx, teamId, id)).map(
    ({ content_block }) => content_block.id,
  )
  await markBlocksUsed(tx, teamId, ids, at)
  await snapshotBlocks(tx, teamId, id)
}
