import * as v from 'valibot'
import { NotReachedError, ProviderError } from '../../../integrations/kit/provider-error.ts'
import {
  type ChatMessage,
  endMessageAttempt,
  findSentMessage,
  MessageJobData,
  type MessageOutcome,
  secondsOfQuiet,
  startMessageAttempt,
} from '../../features/chat-messages/index.ts'
import { clearTokenProblem } from '../../features/connections/index.ts'
import { wantsMessages, wantsReminders } from '../../features/contributors/index.ts'
import { FinalError, type Job, RetryAfterError } from '../../lib/queue/index.ts'
import { retryError } from '../deliveries/retry-error.ts'
import { recordTokenError } from '../tokens/record-error.ts'
import { messageContentOf } from './content.ts'
import {
  callChat,
  contentContext,
  type LimiterOf,
  loadMessageAttempt,
  type MessageAttempt,
  type MessagingDeps,
} from './message-context.ts'

const defaultRetrySeconds = 30
const sendingDelaySeconds = 5

/** How far an attempt has come: it asks the chat for the message, prepares it, or sends it. */
interface Progress {
  phase: 'finding' | 'preparing' | 'sending'
}

/**
 * Makes one attempt to send a message to a person or a channel. After an attempt that was interrupted or not
 * confirmed, the chat is asked for the message before it is sent again. Throws when a later attempt can
 * succeed, and `FinalError`.
 */
export async function sendChatMessage(
  deps: MessagingDeps,
  limiterOf: LimiterOf,
  job: Job,
): Promise<void> {
  const data = v.parse(MessageJobData, job.data)
  const started = await startMessageAttempt(deps, data)
  if (!started) return
  const startedAt = deps.now()
  const { connection_id: connectionId } = started.message
  const progress: Progress = { phase: started.wasInterrupted ? 'finding' : 'preparing' }
  try {
    const attempt = await loadMessageAttempt(deps, { ...data, ...started, limiterOf })
    const outcome = attempt
      ? await attempt.limiter.schedule(() => send(attempt, progress))
      : {
          status: 'skipped' as const,
          reason: 'The connection is disconnected, was removed, or has no valid settings.',
        }
    await endMessageAttempt(deps, data, outcome)
    if (attempt && outcome.status === 'sent')
      await clearTokenProblem(contentContext(attempt), { connectionId })
    deps.log.info({ message: data.messageId, outcome: outcome.status }, 'chat message attempted')
  } catch (error) {
    const outcome = outcomeOf(error, progress, job)
    await endMessageAttempt(deps, data, outcome)
    await recordTokenError(deps, { teamId: data.teamId, connectionId, startedAt }, error)
    deps.log.warn(
      { message: data.messageId, outcome: outcome.status, err: error },
      'chat message not sent',
    )
    throw isSettled(outcome)
      ? new FinalError(messageOf(error))
      : retryError(error, defaultRetrySeconds)
  }
}

/** Updates a message that was sent to what is true now. Throws when a later attempt can succeed. */
export async function updateChatMessage(
  deps: MessagingDeps,
  limiterOf: LimiterOf,
  job: Job,
): Promise<void> {
  const data = v.parse(MessageJobData, job.data)
  const message = await findSentMessage(deps, data)
  if (message === 'later') {
    throw new RetryAfterError(sendingDelaySeconds, new Error('The message is being sent.'))
  }
  const attempt = message && (await loadMessageAttempt(deps, { ...data, message, limiterOf }))
  if (!attempt) return
  const { id, recipient, reference } = message
  try {
    await attempt.limiter.schedule(async () => {
      const content = await messageContentOf(contentContext(attempt), message, attempt.team)
      if (typeof content === 'string') return
      const to = recipientKind(message)
      const thread = threadOf(message)
      const given = { id, recipient, to, thread, reference, message: content }
      await callChat(attempt, (context) => attempt.messaging.update({ ...context, ...given }))
    })
  } catch (error) {
    throw isRefused(error)
      ? new FinalError(messageOf(error))
      : retryError(error, defaultRetrySeconds)
  }
}

async function send(attempt: MessageAttempt, progress: Progress): Promise<MessageOutcome> {
  const { messaging, message } = attempt
  const { id, recipient, created_at: since } = message
  const to = recipientKind(message)
  const thread = threadOf(message)
  if (progress.phase === 'finding') {
    const reference = await callChat(attempt, (context) =>
      messaging.find({ ...context, id, recipient, to, thread, since }),
    )
    if (reference === 'unknown') return { status: 'unknown', reason: notConfirmed }
    if (reference !== null) return { status: 'sent', reference }
    progress.phase = 'preparing'
  }
  const against = to === 'channel' ? null : await reasonAgainst(attempt)
  if (against !== null) return { status: 'skipped', reason: against }
  const content = await messageContentOf(contentContext(attempt), message, attempt.team)
  if (typeof content === 'string') return { status: 'skipped', reason: content }
  progress.phase = 'sending'
  const reference = await callChat(attempt, (context) =>
    messaging.send({ ...context, id, recipient, to, thread, message: content }),
  )
  return { status: 'sent', reference }
}

function recipientKind({ kind, data }: ChatMessage): 'person' | 'channel' {
  if (kind === 'reply') return data['to'] === 'channel' ? 'channel' : 'person'
  return kind === 'review' || kind === 'prompt' ? 'channel' : 'person'
}

const threadOf = ({ data }: ChatMessage): string | null => data['thread'] ?? null

/** Why a person gets no message; null when they do. Throws in the quiet hours. */
async function reasonAgainst(attempt: MessageAttempt): Promise<string | null> {
  // Who has just written gets the reply at any time.
  const against = attempt.message.kind === 'reply' ? null : await unwantedReason(attempt)
  if (against !== null) return against
  const { messaging, message } = attempt
  const { isActive } = await callChat(attempt, (given) =>
    messaging.getPerson({ ...given, user: message.recipient }),
  )
  return isActive ? null : 'The account of the person is deactivated.'
}

/** Why a person does not want a message; null when they do. Throws in the quiet hours. */
async function unwantedReason(attempt: MessageAttempt): Promise<string | null> {
  const { deps, messaging, context, message } = attempt
  const options = messaging.options(context.settings)
  if (!options?.notifiesContributors)
    return 'Messages to contributors are switched off for this connection.'
  const { quietHours, timeZone } = options
  const { connection_id: connectionId, recipient: userId } = message
  const person = { connectionId, userId }
  if (!(await wantsMessages(contentContext(attempt), person)))
    return 'The person wants no messages.'
  if (message.kind === 'reminder' && !(await wantsReminders(contentContext(attempt), person)))
    return 'The person wants no reminders.'
  const seconds = quietHours ? secondsOfQuiet(quietHours, timeZone, deps.now()) : 0
  if (seconds > 0)
    throw new RetryAfterError(seconds, new Error('It is sent after the quiet hours.'))
  return null
}

const notConfirmed =
  'The chat did not confirm the message. Look there; if it is missing, send it again.'

const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : 'The message was not sent.'

const isRefused = (error: unknown) => error instanceof ProviderError && error.problem === 'refused'

/** Whether an error says that the chat did not take the message. */
const isRejection = (error: unknown) =>
  error instanceof NotReachedError ||
  (error instanceof ProviderError && error.problem !== 'unavailable')

function outcomeOf(error: unknown, { phase }: Progress, { isLastAttempt }: Job): MessageOutcome {
  const reason = messageOf(error)
  const maybeSent = phase === 'finding' || (phase === 'sending' && !isRejection(error))
  if (maybeSent) {
    return isLastAttempt || isRefused(error)
      ? { status: 'unknown', reason: `${reason} ${notConfirmed}` }
      : { status: 'sending', reason }
  }
  return { status: isLastAttempt || isRefused(error) ? 'failed' : 'waiting', reason }
}

const isSettled = ({ status }: MessageOutcome) => status === 'failed' || status === 'unknown'
