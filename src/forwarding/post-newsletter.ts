import * as v from 'valibot'
import type { PostedNewsletter } from '../../integrations/kit/adapter.ts'
import { NotReachedError, ProviderError } from '../../integrations/kit/provider-error.ts'
import type { Newsletter } from '../contract/newsletters/newsletter.ts'
import {
  endPostAttempt,
  findPost,
  PostJobData,
  type PostOutcome,
  type PostRow,
  startPostAttempt,
} from '../features/newsletter-posts/index.ts'
import { getNewsletter } from '../features/newsletters/index.ts'
import { withTimeLimit } from '../lib/concurrency/time-limit.ts'
import { systemContext } from '../lib/context.ts'
import { FinalError, type Job, RetryAfterError } from '../lib/queue/index.ts'
import type { LimiterOf } from './chat-messages/message-context.ts'
import { retryError } from './deliveries/retry-error.ts'
import type { ForwardingDeps } from './deps.ts'
import { loadConnection } from './load-connection.ts'

const postTimeoutMs = 15_000
const defaultRetrySeconds = 30

type PostingDeps = Omit<ForwardingDeps, 'client'>

/**
 * Makes one attempt to post a newsletter to a channel, within the limit of the chat for the messages of its connection.
 * It is repeated only when the provider has certainly not posted it. Throws when a later attempt can succeed, and
 * `FinalError`.
 */
export async function postToChannel(
  deps: PostingDeps,
  limiterOf: LimiterOf,
  job: Job,
): Promise<void> {
  const data = v.parse(PostJobData, job.data)
  const found = await findPost(deps, data)
  if (!found) return
  const { connection_id: connectionId } = found
  const loaded = await loadConnection(deps, { teamId: data.teamId, connectionId })
  const intervalMs = typeof loaded === 'string' ? 0 : (loaded.adapter.messaging?.intervalMs ?? 0)
  const limiter = limiterOf(connectionId, intervalMs)
  const error = await limiter.schedule(() => attempt(deps, data, loaded)).catch(asError)
  if (error === 'settled') return
  const outcome = outcomeOf(error, job)
  await endPostAttempt(deps, data, outcome)
  deps.log.info({ post: found.id, outcome: outcome.status }, 'newsletter post attempted')
  if (outcome.status === 'waiting') throw retryError(error, defaultRetrySeconds)
  if (outcome.status === 'failed') throw new FinalError(outcome.reason)
}

const asError = (cause: unknown) => cause

async function attempt(
  deps: PostingDeps,
  data: PostJobData,
  loaded: Loaded,
): Promise<'settled' | undefined> {
  const post = await startPostAttempt(deps, data)
  if (!post) return 'settled'
  await send(deps, loaded, post)
  return undefined
}

type Loaded = Awaited<ReturnType<typeof loadConnection>>

/** Posts the newsletter. Throws when its adapter does not confirm that. */
async function send(
  deps: PostingDeps,
  loaded: Loaded,
  { id, channel, team_id: teamId, newsletter_id: newsletterId }: PostRow,
): Promise<void> {
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
  // No request was made, because the chat limits those of the connection.
  if (error instanceof RetryAfterError)
    return { status: isLastAttempt ? 'failed' : 'waiting', reason: error.message }
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
