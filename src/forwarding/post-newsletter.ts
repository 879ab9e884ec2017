import * as v from 'valibot'
import type { PostedNewsletter } from '../../integrations/kit/adapter.ts'
import { ProviderError } from '../../integrations/kit/provider-error.ts'
import type { Newsletter } from '../contract/newsletter.ts'
import { openConnection, readSettings } from '../features/connections/index.ts'
import {
  endPostAttempt,
  PostJobData,
  type PostOutcome,
  startPostAttempt,
} from '../features/newsletter-posts/index.ts'
import { getNewsletter } from '../features/newsletters/index.ts'
import { systemContext } from '../lib/context.ts'
import { FinalError, type Job, RetryAfterError } from '../lib/queue/index.ts'
import { withTimeLimit } from '../lib/time-limit.ts'
import type { ForwardingDeps } from './load-delivery.ts'

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
  const error = await attempt(deps, {
    teamId: data.teamId,
    connectionId: post.connection_id,
    newsletterId: post.newsletter_id,
  }).catch((cause: unknown) => cause)
  const outcome = outcomeOf(error, job)
  await endPostAttempt(deps, data, outcome)
  deps.log.info({ post: post.id, outcome: outcome.status }, 'newsletter post attempted')
  if (outcome.status === 'waiting') throw retryError(error)
  if (outcome.status === 'failed') throw new FinalError(outcome.reason)
}

/** Posts the newsletter. Throws when its adapter does not confirm that. */
async function attempt(
  deps: PostingDeps,
  {
    teamId,
    connectionId,
    newsletterId,
  }: Record<'teamId' | 'connectionId' | 'newsletterId', string>,
): Promise<void> {
  const connection = await openConnection(deps, teamId, connectionId)
  const adapter = connection && deps.adapters.get(connection.adapter)
  const settings = adapter && readSettings(connection, adapter.settings)
  if (!settings || !adapter.posting) {
    throw new ProviderError('refused', 'The connection was removed, or its settings are not valid.')
  }
  if (connection.isDisconnected) {
    throw new ProviderError('refused', 'The connection is disconnected: its page says what to do.')
  }
  const { posting } = adapter
  const { sql, now, baseUrl } = deps
  const ctx = systemContext({ sql, now, baseUrl }, teamId)
  const newsletter = postedNewsletter(await getNewsletter(ctx, newsletterId))
  const { language } = connection
  await withTimeLimit(deps.outbound, postTimeoutMs, (provider) =>
    posting.post({ newsletter, settings, provider, language }),
  )
}

function postedNewsletter({ title, blocks, sent_at, archive_url }: Newsletter): PostedNewsletter {
  return {
    title,
    headlines: blocks.map(({ content_block }) => content_block.title),
    sentAt: new Date(sent_at ?? Number.NaN),
    url: archive_url,
  }
}

function outcomeOf(error: unknown, { isLastAttempt }: Job): PostOutcome {
  if (error === undefined) return { status: 'posted' }
  if (!(error instanceof ProviderError)) return { status: 'unknown', reason: notConfirmed }
  const { problem, message: reason } = error
  if (problem === 'unavailable') return { status: 'unknown', reason: `${reason} ${notConfirmed}` }
  const isRepeated = problem === 'rate_limited' && !isLastAttempt
  return { status: isRepeated ? 'waiting' : 'failed', reason }
}

const notConfirmed =
  'The chat did not confirm the message. Look in the channel; if it is missing, post it again.'

function retryError(error: unknown): Error {
  const cause = error instanceof Error ? error : new Error('The newsletter was not posted.')
  const seconds = error instanceof ProviderError ? error.retryAfterSeconds : undefined
  return new RetryAfterError(seconds ?? defaultRetrySeconds, cause)
}
