import * as v from 'valibot'
import type { Adapter } from '../../../integrations/kit/adapter.ts'
import type {
  DocumentContext,
  Polling,
  PollResult,
  SourceDocument,
  SourceEntry,
} from '../../../integrations/kit/polling/polling.ts'
import { ProviderError } from '../../../integrations/kit/provider-error.ts'
import type { Json } from '../../../integrations/kit/requests/received.ts'
import {
  type DecryptedConnection,
  filterReason,
  findDecryptedConnection,
  readSettings,
} from '../../features/connections/index.ts'
import { type ReceivedEvent, storeEvents } from '../../features/deliveries/index.ts'
import {
  completePoll,
  completeUnchanged,
  type EntryChange,
  failPoll,
  PollJobData,
  type PollProblem,
  pollJob,
  queueDuePolls,
  type StartedPoll,
  startPoll,
} from '../../features/polling/index.ts'
import { withJitter } from '../../lib/concurrency/jitter.ts'
import { withTimeLimit } from '../../lib/concurrency/time-limit.ts'
import { OutboundError } from '../../lib/outbound/ssrf-fetch.ts'
import type { JobType, Workers } from '../../lib/queue/index.ts'
import type { WebhookDeps } from '../dispatch.ts'

/**
 * The entries of a document, as `polling.read` of the adapter with this slug returns them, without delaying other requests.
 * Throws when the document cannot be read.
 */
export type ReadDocument = (
  slug: string,
  document: SourceDocument,
  context: DocumentContext<object>,
) => Promise<SourceEntry<unknown>[] | null>

/** The dependencies of polling. */
export interface PollingDeps extends WebhookDeps {
  readDocument: ReadDocument
}

/** The job types of polling. */
export const pollingJobs: readonly JobType[] = [pollJob]

const pollTimeoutMs = 45_000
const minuteMs = 60_000
const firstRetryMinutes = 5
const maxRetryMinutes = 12 * 60

// A slow source delays no other team, and few sources of its own.
const polling = { concurrency: 4, concurrencyPerGroup: 2 }

/** Looks every minute for sources that are due, in one of all processes. */
export async function schedulePolls(deps: WebhookDeps): Promise<void> {
  await deps.queue.schedule('plan-polls', '* * * * *', () => queueDuePolls(deps), {
    deleteAfterSeconds: 3_600,
  })
}

/** Reads the sources that are due, in this process. */
export const startPolling = (deps: PollingDeps): Promise<Workers> =>
  deps.queue.work(pollJob, polling, (job) => pollSource(deps, v.parse(PollJobData, job.data)))

/** Everything that a poll works with. */
interface PollRun {
  poll: StartedPoll
  connection: DecryptedConnection
  adapter: Adapter
  settings: object
  polling: Polling<object, unknown>
}

/** Reads the source of a connection and stores its news as deliveries. Does nothing when it is not due. */
async function pollSource(deps: PollingDeps, job: PollJobData): Promise<void> {
  const run = await startRun(deps, job)
  if (!run) return
  const log = { adapter: run.adapter.slug, connection: run.connection.id }
  try {
    if (!run.connection.apiKey.isActive)
      throw new ProviderError('refused', 'The key of the connection was revoked or has expired.')
    const polled = await readSource(deps, run)
    const stored = await storePolled(deps, run, polled)
    deps.log.info({ ...log, outcome: polled.kind, deliveries: stored }, 'source read')
  } catch (error) {
    const failure = failureOf(error)
    if (failure === null) throw error
    deps.log.warn({ ...log, err: error }, 'source not read')
    await failPoll(deps, { poll: run.poll, ...failure, dueAt: retryAt(deps, run, failure) })
  }
}

async function startRun(deps: WebhookDeps, job: PollJobData): Promise<PollRun | null> {
  const connection = await findDecryptedConnection(deps, job.teamId, job.connectionId)
  const adapter = connection && deps.adapters.get(connection.adapter)
  const settings = adapter && readSettings(connection, adapter.settings)
  // Another release of this installation may read it.
  if (!adapter?.polling || !settings) return null
  const poll = await startPoll(deps, { ...job, address: adapter.polling.source(settings) })
  return poll && { poll, connection, adapter, settings, polling: adapter.polling }
}

/** Reads a source. An error of the adapter is one of its source, so that the connection shows it and it is read later. */
async function readSource(
  { outbound, now, log, readDocument }: PollingDeps,
  { poll, connection, adapter, settings, polling }: PollRun,
): Promise<PollResult<unknown>> {
  const { language } = connection
  const context = { settings, now: now(), idPrefix: poll.idPrefix }
  try {
    return await withTimeLimit(outbound, pollTimeoutMs, (provider) =>
      polling.poll({
        ...context,
        provider,
        state: asJson(poll.state),
        language,
        read: (document) => readDocument(adapter.slug, document, context),
      }),
    )
  } catch (error) {
    if (failureOf(error) !== null) throw error
    log.error({ connection: connection.id, err: error }, 'source could not be understood')
    throw new ProviderError('unavailable', 'The source contains something that cannot be read.')
  }
}

/** The column contains what an adapter returned. */
const asJson = (state: unknown) => state as Json

/** Stores the result of a poll, and returns how many deliveries it made. */
async function storePolled(
  deps: WebhookDeps,
  run: PollRun,
  polled: PollResult<unknown>,
): Promise<number> {
  const { poll, connection, polling } = run
  switch (polled.kind) {
    case 'unchanged':
      await completeUnchanged(deps, { poll, dueAt: nextPoll(deps, run) })
      return 0
    case 'ended':
      await failPoll(deps, { poll, reason: polled.reason, problem: 'ended', dueAt: null })
      return 0
    case 'entries': {
      let stored = 0
      const { entries, state } = polled
      const found = {
        poll,
        entries: asSeen(polling, entries),
        state,
        withdrawsMissing: polling.withdrawal !== undefined,
        completeUntil: polled.completeUntil ?? null,
        dueAt: nextPoll(deps, run),
      }
      const byKey = new Map(entries.map((entry) => [entry.key, entry]))
      await completePoll(deps, found, async (tx, news) => {
        const events = news.flatMap((one) => eventOf(run, one, byKey.get(one.key)))
        stored = (await storeEvents({ ...deps, sql: tx }, connection, events)).length
      })
      return stored
    }
  }
}

function asSeen(polling: Polling<object, unknown>, entries: readonly SourceEntry<unknown>[]) {
  const first = new Set((polling.firstNews?.(entries) ?? entries).map(({ key }) => key))
  return entries.map(({ key, version = '', endsAt = null }) => ({
    key,
    version,
    endsAt,
    isFirstNews: first.has(key),
  }))
}

function eventOf(
  { connection, polling }: PollRun,
  { entry, key, deliveryId }: EntryChange,
  present: SourceEntry<unknown> | undefined,
): ReceivedEvent[] {
  const found = entry === null ? polling.withdrawal?.(key) : present
  if (!found) return []
  const { event, eventName } = found
  return [{ deliveryId, event, ignoredReason: filterReason(connection.common, eventName) }]
}

interface PollFailure {
  reason: string
  problem: PollProblem
  retryAfterSeconds?: number | undefined
}

/** Why a source could not be read; null for an error of our own, after which the job is repeated. */
function failureOf(error: unknown): PollFailure | null {
  if (error instanceof ProviderError) {
    const { message: reason, problem, retryAfterSeconds } = error
    return { reason, problem, retryAfterSeconds }
  }
  if (error instanceof OutboundError)
    return { reason: error.message, problem: error.canSucceedLater ? 'unavailable' : 'refused' }
  if (error instanceof DOMException)
    return { reason: `The source ${error.message}.`, problem: 'unavailable' }
  return null
}

/** The time of the next poll after one that succeeded, with a jitter, so that not all sources are read at once. */
function nextPoll({ now }: WebhookDeps, { settings, polling }: PollRun): Date {
  const intervalMs = polling.intervalMinutes(settings) * minuteMs
  return after(now(), withJitter(intervalMs, { from: 0.9, to: 1.1 }))
}

/** The time of the next poll after one that failed: later and later, and not before the server allows it. */
function retryAt({ now }: WebhookDeps, { poll }: PollRun, failure: PollFailure): Date {
  const minutes = Math.min(maxRetryMinutes, firstRetryMinutes * 2 ** Math.min(poll.failures, 10))
  const allowedMs = (failure.retryAfterSeconds ?? 0) * 1000
  return after(now(), Math.max(withJitter(minutes * minuteMs, { from: 1, to: 1.2 }), allowedMs))
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms)
