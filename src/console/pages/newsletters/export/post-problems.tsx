import {
  listFailedPosts,
  type NewsletterPost,
} from '../../../../features/newsletter-posts/index.ts'
import { attribute } from '../../../attribute.ts'
import type { MemberRequest } from '../../../http/context.ts'
import { can } from '../../../roles.ts'
import { channelName, listPostingChannels, type PostingChannel } from './posting-channels.ts'

/** A newsletter that is not in a channel, or perhaps not. */
export interface PostProblem extends NewsletterPost {
  postingChannel: PostingChannel
}

/**
 * What editors have to post again, of some newsletters. Channels that are no longer in the settings of a
 * connection are left out, because nothing can be posted there.
 */
export async function findPostProblems(
  context: MemberRequest,
  newsletterIds: readonly string[],
): Promise<PostProblem[]> {
  if (!can(context.member.role, 'editor')) return []
  const failed = await listFailedPosts(context.ctx, { newsletterIds })
  const channels = failed.length > 0 ? await listPostingChannels(context) : []
  return failed.flatMap((post) => {
    const postingChannel = channels.find(
      ({ connection, channel }) => connection.id === post.connection_id && channel === post.channel,
    )
    return postingChannel ? [{ ...post, postingChannel }] : []
  })
}

interface PostProblemBadgeProps {
  context: MemberRequest
  problem: PostProblem
  /** The channel is named on hover only. */
  isShort?: boolean
}

/** A badge that says that a newsletter is not in a channel, and links to where it is posted again. */
export function PostProblemBadge({ context, problem, isShort = false }: PostProblemBadgeProps) {
  const { t } = context
  const isFailed = problem.status === 'failed'
  const channel = channelName(context, problem.postingChannel)
  const long = isFailed
    ? t('newsletters.not_posted_to', { channel })
    : t('newsletters.not_confirmed_in', { channel })
  const short = isFailed ? t('newsletters.not_posted') : t('newsletters.not_confirmed')
  return (
    <a
      class={`badge ${isFailed ? 'danger' : 'warning'}`}
      href={`/newsletters/${problem.newsletter_id}/export#post-to-chat`}
      title={attribute([long, t.fromEnglish(problem.reason ?? '')].filter(Boolean).join('. '))}
      safe
    >
      {isShort ? short : long}
    </a>
  )
}
