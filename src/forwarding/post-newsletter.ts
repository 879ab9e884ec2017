import * as v from 'valibot'
import type { PostContext, PostedNewsletter } from '../../integrations/kit/adapter.ts'
import { NotReachedError, ProviderError } from '../../integrations/kit/provider-error.ts'
import type { ProviderApi } from '../../integrations/kit/requests/provider-request.ts'
import type { Newsletter } from '../contract/newsletters/newsletter.ts'
import { clearTokenProblem } from '../features/connections/index.ts'
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
import { recordTokenError } from './tokens/record-error.ts'

const postTimeoutMs = 15_000
const defaultRetrySeconds = 30

type PostingDeps = Omit<ForwardingDeps, 'client'>
type Loaded = Awaited<ReturnType<typeof loadConnection>>

/** How far an attempt has come: it is prepared, asks the chat for the post, or posts. */
interface Progress {
  phase: 'preparing' | 'finding' | 'posting'
}

/**
 * Makes one attempt to post a newsletter to a channel, within the limit of the chat for the messages of its connection.
 * After an attempt that was interrupted or not confirmed, the chat is asked for the post; where it does not show its
 * messages, the post is not repeated. Throws when a later attempt can succeed, and `FinalError`.
 */
export async function postToChannel(
  deps: PostingDeps,
  limiterOf: LimiterOf,
  job: Job,
): Promise<void> {
  const data = v.parse(PostJobData, job.data)
  const found = await findPost(deps, data)
  if (!found) return
  const startedAt = deps.now()
  const { connection_id: connectionId } = found
  const loaded = await loadConnection(deps, { teamId: data.teamId, connectionId })
  const intervalMs = typeof loaded === 'string' ? 0 : (loaded.adapter.messaging?.intervalMs ?? 0)
  const limiter = limiterOf(connectionId, intervalMs)
  const progress: Progress = { phase: 'preparing' }
  try {
    const outcome = await limiter.schedule(() => attempt(deps, { data, loaded, progress }))
    if (outcome) await endPostAttempt(deps, data, outcome)
    deps.log.info({ post: found.id, outcome: outcome?.status }, 'newsletter post attempted')
  } catch (error) {
    const outcome = outcomeOf(
      error,
      { ...progress, wasInterrupted: found.status === 'posting' },
      job,
    )
    await endPostAttempt(deps, data, outcome)
    await recordTokenError(deps, { teamId: data.teamId, connectionId, startedAt }, error)
    deps.log.warn(
      { post: found.id, outcome: outcome.status, err: error },
      'newsletter post not confirmed',
    )
    if (outcome.status === 'waiting' || outcome.status === 'posting')
      throw retryError(error, defaultRetrySeconds)
    throw new FinalError(outcome.reason)
  }
}

interface Attempt {
  data: PostJobData
  loaded: Loaded
  progress: Progress
}

/** How an attempt ended; undefined for a post that is settled. Throws when the chat does not confirm it. */
async function attempt(
  deps: PostingDeps,
  { data, loaded, progress }: Attempt,
): Promise<PostOutcome | undefined> {
  const started = await startPostAttempt(deps, data)
  if (!started) return undefined
  if (started.wasInterrupted) progress.phase = 'finding'
  const { posting, context, call } = await postingOf(deps, loaded, started.post)
  if (started.wasInterrupted) {
    const since = started.post.scheduled_at ?? started.post.created_at
    const found = await call((provider) => posting.find({ ...context, provider, since }))
    if (found === 'posted') return { status: 'posted' }
    if (found === 'unknown') return { status: 'unknown', reason: notConfirmed }
  }
  progress.phase = 'posting'
  const postedWith = await call((provider) => posting.post({ ...context, provider }))
  const { connection_id: connectionId, team_id: teamId } = started.post
  if (postedWith === 'token') await clearTokenProblem(contextOf(deps, teamId), { connectionId })
  return { status: 'posted' }
}

const contextOf = ({ sql, now, baseUrl }: PostingDeps, teamId: string) =>
  systemContext({ sql, now, baseUrl }, teamId)

/** What a post is made with. Throws a `ProviderError` for a connection that cannot post. */
async function postingOf(
  deps: PostingDeps,
  loaded: Loaded,
  { id, channel, team_id: teamId, newsletter_id: newsletterId }: PostRow,
) {
  if (typeof loaded === 'string') throw new ProviderError('refused', loaded)
  const { connection, adapter, settings } = loaded
  if (connection.isDisconnected)
    throw new ProviderError('refused', 'The connection is disconnected: its page says what to do.')
  const { posting } = adapter
  if (!posting) throw new ProviderError('refused', 'This chat does not take newsletters.')
  const newsletter = postedNewsletter(await getNewsletter(contextOf(deps, teamId), newsletterId))
  const { language } = connection
  const context: Omit<PostContext<object>, 'provider'> = {
    id,
    channel,
    newsletter,
    settings,
    language,
  }
  const call = <Result>(work: (provider: ProviderApi) => Promise<Result>) =>
    withTimeLimit(deps.outbound, postTimeoutMs, work)
  return { posting, context, call }
}

function postedNewsletter(newsletter: Newsletter): PostedNewsletter {
  const { title, blocks, archive_url } = newsletter
  const { cover_image_url: url, cover_image_alt: alt } = newsletter
  return {
    title,
    cover: url === null ? null : { url, alt: alt ?? '' },
    headlines: blocks.map(({ content_block }) => content_block.title),
    url: archive_url,
  }
}

type FailedOutcome = Extract<PostOutcome, { reason: string }>

function outcomeOf(
  error: unknown,
  { phase, wasInterrupted }: Progress & { wasInterrupted: boolean },
  { isLastAttempt }: Job,
): FailedOutcome {
  const reason = reasonOf(error)
  const isRefused = error instanceof ProviderError && error.problem === 'refused'
  const isPossible =
    phase === 'posting' ? !isRejection(error) : phase === 'finding' || wasInterrupted
  if (isPossible)
    return isLastAttempt || isRefused
      ? { status: 'unknown', reason: `${reason} ${notConfirmed}` }
      : { status: 'posting', reason }
  return { status: isLastAttempt || isRefused ? 'failed' : 'waiting', reason }
}

const reasonOf = (error: unknown): string =>
  error instanceof ProviderError || error instanceof RetryAfterError
    ? error.message
    : 'The attempt was interrupted.'

/** Whether an error says that the chat did not take the newsletter. */
const isRejection = (error: unknown) =>
  error instanceof RetryAfterError ||
  error instanceof NotReachedError ||
  (error instanceof ProviderError && error.problem !== 'unavailable')

const notConfirmed =
  'The chat did not confirm the message. Look in the channel; if it is missing, post it again.'
