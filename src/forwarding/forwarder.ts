import { recentRequests } from '../features/api-keys/index.ts'
import { forwarding } from '../features/deliveries/index.ts'
import { type DatabaseAddress, withDeadline } from '../lib/db.ts'
import type { Job } from '../lib/queue.ts'
import { createIngestClient, type IngestClient } from './ingest-client.ts'
import { createLeaderLock, type LeaderLock } from './leader-lock.ts'
import type { ForwardingDeps } from './load-delivery.ts'
import { runJob } from './run-job.ts'
import { createSignal, type Signal } from './signal.ts'

export interface ForwarderDeps extends Omit<ForwardingDeps, 'client'> {
  /** For the lock's own connection. */
  database: DatabaseAddress
  /** Where ingest answers, without a slash at the end. */
  ingestUrl: string
  /** How often to look for work, and for the lock, when nothing calls for it. */
  pollMs?: number
}

export interface Forwarder {
  /** Looks for work at once; for whoever has just queued some in this process. */
  wake(): void
  /** Ends within a few seconds. What is under way then is taken up again by the next forwarder. */
  stop(): Promise<void>
}

const concurrent = 32
const concurrentPerKey = 5
const defaultPollMs = 500
const stopTimeoutMs = 3_000

/** The state of this process's forwarder. */
interface ForwarderState {
  deps: ForwarderDeps
  client: IngestClient
  lock: LeaderLock
  signal: Signal
  inProgress: Map<string, Promise<void>>
  /** Settled deliveries of which people are still being told. */
  notifying: Set<Promise<void>>
  /** This process is the one that forwards. */
  isLeader: boolean
  /** There may be jobs that nobody works on although the queue takes them for active. */
  hasStaleJobs: boolean
  stopping: boolean
}

/**
 * Starts carrying deliveries to ingest. Any number of processes may do so on one database: one of
 * them works, and another takes over when it ends or dies.
 */
export function startForwarder(deps: ForwarderDeps): Forwarder {
  const { sql } = deps
  const shift: ForwarderState = {
    deps,
    client: createIngestClient({
      baseUrl: deps.ingestUrl,
      recentRequests: ({ teamId, id }) => withDeadline(recentRequests(sql, teamId, id)),
    }),
    lock: createLeaderLock(deps.database),
    signal: createSignal(),
    inProgress: new Map(),
    notifying: new Set(),
    isLeader: false,
    hasStaleJobs: false,
    stopping: false,
  }
  const running = run(shift)
  let stopped: Promise<void> | undefined
  return {
    wake: shift.signal.notify,
    stop() {
      stopped ??= stop(shift, running)
      return stopped
    },
  }
}

async function run(shift: ForwarderState): Promise<void> {
  const { signal: bell, deps } = shift
  let troubled = false
  while (!shift.stopping) {
    const started = await poll(shift).catch((error: unknown) => {
      // Once is enough: while the database is away this comes round twice a second.
      if (!troubled)
        deps.log.error({ err: error }, 'the forwarder met a problem and goes on trying')
      return null
    })
    troubled = started === null
    if (!started) await bell.wait(deps.pollMs ?? defaultPollMs)
  }
}

/** One look into the queue; gives how many jobs it started. */
async function poll(shift: ForwarderState): Promise<number> {
  if (!(await acquireLeadership(shift))) return 0
  const { client, deps, inProgress: underWay } = shift
  if (shift.hasStaleJobs) {
    await deps.queue.release(forwarding, [...underWay.keys()])
    shift.hasStaleJobs = false
  }
  // Whoever only waits for its key's next place takes nobody's turn.
  const room = concurrent - (underWay.size - client.waiting())
  if (room <= 0) return 0
  const except = await client.keysAtLimit()
  const jobs = await deps.queue.take(forwarding, room, { perGroup: concurrentPerKey, except })
  for (const job of jobs) underWay.set(job.id, processJob(shift, job))
  return jobs.length
}

/** True while this process forwards. Whoever begins looks for what another one left behind. */
async function acquireLeadership(shift: ForwarderState): Promise<boolean> {
  const { client, deps, lock } = shift
  const held = await lock.acquire().catch((error: unknown) => {
    shift.isLeader = false
    throw error
  })
  if (held && !shift.isLeader) {
    deps.log.info('this process forwards deliveries now')
    client.reset()
    shift.hasStaleJobs = true
  }
  shift.isLeader = held
  return held
}

/** Never throws: a job whose end could not be stored is released in the next round. */
async function processJob(shift: ForwarderState, job: Job): Promise<void> {
  const { signal: bell, client, deps, inProgress: underWay } = shift
  try {
    const tell = await runJob({ ...deps, client }, job, () => shift.stopping)
    const told = tell().finally(() => shift.notifying.delete(told))
    shift.notifying.add(told)
  } catch (error) {
    shift.hasStaleJobs = true
    deps.log.error({ err: error }, 'what became of a delivery could not be stored')
  }
  underWay.delete(job.id)
  bell.notify()
}

async function stop(shift: ForwarderState, running: Promise<void>): Promise<void> {
  shift.stopping = true
  shift.signal.notify()
  await running
  shift.client.stop()
  const patience = createSignal()
  void Promise.all([...shift.inProgress.values(), ...shift.notifying]).then(patience.notify)
  await patience.wait(stopTimeoutMs)
  await shift.lock.release()
}
