import { newNewsletterDefaults } from '../../contract/newsletters/input.ts'
import {
  type Context,
  inTransaction,
  type LinkContext,
  type ReadContext,
  type TxContext,
} from '../../lib/context.ts'
import { withDeadline } from '../../lib/database/db.ts'
import { AppError } from '../../lib/errors.ts'
import { createBlock, deleteBlock } from '../content-blocks/index.ts'
import { addBlock, createNewsletter, deleteNewsletter } from '../newsletters/index.ts'
import { getTeamDetails } from '../teams/index.ts'
import { type SampleNews, sampleNewsIn } from './sample-news.ts'
import {
  deleteSampleContent,
  insertSampleContent,
  lockTeam,
  type SampleContent,
  selectSampleContent,
  selectUntouchedBlocks,
} from './sql.ts'

export { type DemoNews, freshNews, sentNews } from './demo-news.ts'

/** The sample newsletter of the actor's team, or null. */
export async function findSampleContent({
  sql,
  actor,
}: ReadContext): Promise<SampleContent | null> {
  return (await withDeadline(selectSampleContent(sql, actor.teamId))) ?? null
}

/**
 * Adds a finished newsletter with sample blocks, in the language of the team, and returns its id. A team
 * that has one keeps it.
 */
export async function addSampleContent(ctx: LinkContext): Promise<string> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    await lockTeam(txCtx.sql, teamId)
    const existing = await selectSampleContent(txCtx.sql, teamId)
    if (existing) return existing.newsletterId
    const team = await getTeamDetails(txCtx, null)
    const news = sampleNewsIn(team.language)
    const newsletterId = await createSampleNewsletter(txCtx, news, team.name)
    const blockIds = await addSampleBlocks(txCtx, news, newsletterId)
    await insertSampleContent(txCtx.sql, teamId, { newsletterId, blockIds }, txCtx.now())
    return newsletterId
  })
}

async function createSampleNewsletter(
  ctx: TxContext<LinkContext>,
  news: SampleNews,
  teamName: string,
): Promise<string> {
  const title = news.title.replace('{name}', [...teamName].slice(0, 100).join(''))
  const { intro, closing } = news
  const { id } = await createNewsletter(ctx, {
    ...newNewsletterDefaults,
    title,
    subject_line: title,
    status: 'draft',
    intro,
    closing,
  })
  return id
}

async function addSampleBlocks(
  ctx: TxContext<LinkContext>,
  news: SampleNews,
  newsletterId: string,
): Promise<string[]> {
  const ids: string[] = []
  for (const block of news.blocks) {
    const { id } = await createBlock(ctx, { ...block, status: 'ready' })
    await addBlock(ctx, { id: newsletterId, content_block_id: id })
    ids.push(id)
  }
  return ids
}

/**
 * Removes the sample newsletter, unless it was sent, and its blocks, except those that somebody has
 * changed or added to another newsletter. Returns how many blocks stay.
 */
export async function removeSampleContent(ctx: Context): Promise<number> {
  const { teamId } = ctx.actor
  return await inTransaction(ctx, async (txCtx) => {
    await lockTeam(txCtx.sql, teamId)
    const sample = await selectSampleContent(txCtx.sql, teamId)
    if (!sample) return 0
    await deleteUnlessSent(txCtx, sample.newsletterId)
    const unused = await selectUntouchedBlocks(txCtx.sql, teamId, sample.blockIds)
    for (const id of unused) await deleteBlock(txCtx, { id, expected: null })
    await deleteSampleContent(txCtx.sql, teamId)
    return sample.blockIds.length - unused.length
  })
}

async function deleteUnlessSent(ctx: TxContext, id: string): Promise<void> {
  try {
    await deleteNewsletter(ctx, { id, expected: null })
  } catch (error) {
    const isExpected =
      error instanceof AppError && ['not_found', 'newsletter_sent'].includes(error.code)
    if (!isExpected) throw error
  }
}
