import * as v from 'valibot'
import type { PostedNewsletter } from '../../integrations/kit/adapter.ts'
import { NotReachedError, ProviderError } from '../../integrations/kit/provider-error.ts'
import type { Newsletter } from '../contract/newsletters/newsletter.ts'
import {
  endPostAttempt,
  PostJobData,
  type PostOutcome,
  type PostRow,
  startPostAttempt,
} from '../features/newsletter-posts/index.ts'
import { getNewsletter } from '../features/newsletters/index.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import { systemContext } from '../lib/context.ts'
import { FinalError, type Job } from '../lib/queue/index.ts'
import { retryError } from './deliveries/retry-error.ts'
import type { ForwardingDeps } from './deps.ts'
import { loadConnection } from './load-connection.ts'

const postTimeoutMs = 15_000
const defaultRetrySeconds = 30

type PostingDeps = Omit<ForwardingDeps, 'client'>

/**
 * Makes one attempt to post a newsletter to a channel. It is repeated only when the provider has
 * certainly not posted it. Throws when a later attempt can succeed, and `FinalError`.
 */
export async function postToChannel(deps: PostingDeps, job: Job): Promise<void> {
  const data = v.parse(PostJobData, job.data)
  const post = await startPostAttempt(deps, data)
  if (!post) return
  const error = await attempt(deps, post).catch((cause: unknown) => cause)
  const outcome = outcomeOf(error, job)
  await endPostAttempt(deps, data, outcome)
  deps.log.info({ post: post.id, outcome: outcome.status }, 'newsletter post attempted')
  if (outcome.status === 'waiting') throw retryError(error, defaultRetrySeconds)
  if (outcome.status === 'failed') throw new FinalError(outcome.reason)
}

/** Posts the newsletter. Throws when its adapter does not confirm that. */
async function attempt(
  deps: PostingDeps,
  {
    id,
    channel,
    team_id: teamId,
    connection_id: connectionId,
    newsletter_id: newsletterId,
  }: PostRow,
): Promise<void> {
  const loaded = await loadConnection(deps, { teamId, connectionId })
  if (typeof loaded === 'string') throw new ProviderError('refused', loaded)
  const { connection, adapter, settings } = loaded
  if (connection.isDisconnected)
    throw new ProviderError('refused', 'The connection is disconnected: its page says what to do.')
  const { posting } = adapter
  if (!posting) throw new ProviderError('refused', 'This chat does not take newsletters.')
  const { sql, now, baseUrl } = deps
  const ctx = systemContext({ sql, now, baseUrl }, teamId)
  const newsletter = postedNewsletter(await getNewsletter(ctx, newsletterId))
  const { language } = connection
  await withTimeLimit(deps.outbound, postTimeoutMs, (provider) =>
    posting.post({ id, channel, newsletter, settings, provider, language }),
  )
}

function postedNewsletter(newsletter: Newsletter): PostedNewsletter {
  const { title, blocks, sent_at, archive_url } = newsletter
  const { cover_image_url: url, cover_image_alt: alt } = newsletter
  return {
    title,
    cover: url === null ? null : { url, alt: alt ?? '' },
    headlines: blocks.map(({ content_block }) => content_block.title),
    sentAt: new Date(sent_at ?? Number.NaN),
    url: archive_url,
  }
}

function outcomeOf(error: unknown, { isLastAttempt }: Job): PostOutcome {
  if (error === undefined) return { status: 'posted' }
  if (!(error instanceof ProviderError)) return { status: 'unknown', reason: notConfirmed }
  const { problem, message: reason } = error
  const isUntouched = problem === 'rate_limited' || error instanceof NotReachedError
  if (problem === 'unavailable' && !isUntouched)
    return { status: 'unknown', reason: `${reason} ${notConfirmed}` }
  const isRepeated = isUntouched && !isLastAttempt
  return { status: isRepeated ? 'waiting' : 'failed', reason }
}

const notConfirmed =
  'The chat did not confirm the message. Look in the channel; if it is missing, post it again.'
