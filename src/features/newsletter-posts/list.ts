import type { Context } from '../../lib/context.ts'
import { type PostRow, selectPosts } from './sql.ts'

/** A newsletter in a channel of a chat. */
export type NewsletterPost = Omit<PostRow, 'team_id'>

/** The posts of a newsletter: at most one for each channel. */
export async function listPosts(
  { sql, actor }: Context,
  { newsletterId }: { newsletterId: string },
): Promise<NewsletterPost[]> {
  return await selectPosts(sql, actor.teamId, newsletterId)
}
