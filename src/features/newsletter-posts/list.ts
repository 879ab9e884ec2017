import type { Context } from '../../lib/context.ts'
import { type PostRow, selectFailedPosts, selectPosts } from './sql.ts'

/** A newsletter in a channel of a chat. */
export type NewsletterPost = Omit<PostRow, 'team_id'>

/** The posts of a newsletter: at most one for each channel. */
export async function listPosts(
  { sql, actor }: Context,
  { newsletterId }: { newsletterId: string },
): Promise<NewsletterPost[]> {
  return await selectPosts(sql, actor.teamId, newsletterId)
}

/** The posts of some newsletters that failed or were not confirmed, those that failed first. */
export async function listFailedPosts(
  { sql, actor }: Context,
  { newsletterIds }: { newsletterIds: readonly string[] },
): Promise<NewsletterPost[]> {
  if (newsletterIds.length === 0) return []
  return await selectFailedPosts(sql, actor.teamId, newsletterIds)
}
