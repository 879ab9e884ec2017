import { createIngestClient, type IngestClient } from '../../integrations/deliver.ts'
import { recentRequests } from '../features/access/index.ts'
import { forwarding } from '../features/deliveries/index.ts'
import { type DatabaseAddress, withDeadline } from '../lib/db.ts'
import type { Job } from '../lib/queue.ts'
import { type Bell, createBell } from './bell.ts'
import type { CarryDeps } from './load.ts'
import { createForwarderLock, type ForwarderLock } from './lock.ts'
import { workOff } from './work.ts'

export interface ForwarderDeps extends Omit<CarryDeps, 'client'> {
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
const patienceMs = 3_000

/** The state of this process's forwarder. */
interface Shift {
  deps: ForwarderDeps
  client: IngestClient
  lock: ForwarderLock
  bell: Bell
  underWay: Map<string, Promise<void>>
  /** Settled deliveries of which people are still being told. */
  telling: Set<Promise<void>>
  /** This process is the one that forwards. */
  leading: boolean
  /** There may be jobs that nobody works on although the queue takes them for active. */
  orphans: boolean
  stopping: boolean
}

/**
 * Starts carrying deliveries to ingest. Any number of processes may do so on one database: one of
 * them works, and another takes over when it ends or dies.
 */
export function startForwarder(deps: ForwarderDeps): Forwarder {
  const { sql } = deps
  const shift: Shift = {
    deps,
    client: createIngestClient({
      baseUrl: deps.ingestUrl,
      recentRequests: ({ teamId, id }) => withDeadline(recentRequests(sql, teamId, id)),
    }),
    lock: createForwarderLock(deps.database),
    bell: createBell(),
    underWay: new Map(),
    telling: new Set(),
    leading: false,
    orphans: false,
    stopping: false,
  }
  const running = run(shift)
  let stopped: Promise<void> | undefined
  return {
    wake: shift.bell.ring,
    stop() {
      stopped ??= stop(shift, running)
      return stopped
    },
  }
}

async function run(shift: Shift): Promise<void> {
  const { bell, deps } = shift
  let troubled = false
  while (!shift.stopping) {
    const started = await round(shift).catch((error: unknown) => {
      // Once is enough: while the database is away this comes round twice a second.
      if (!troubled)
        deps.log.error({ err: error }, 'the forwarder met a problem and goes on trying')
      return null
    })
    troubled = started === null
    if (!started) await bell.rung(deps.pollMs ?? defaultPollMs)
  }
}

/** One look into the queue; gives how many jobs it started. */
async function round(shift: Shift): Promise<number> {
  if (!(await lead(shift))) return 0
  const { client, deps, underWay } = shift
  if (shift.orphans) {
    await deps.queue.release(forwarding, [...underWay.keys()])
    shift.orphans = false
  }
  // Whoever only waits for its key's next place takes nobody's turn.
  const room = concurrent - (underWay.size - client.waiting())
  if (room <= 0) return 0
  const except = await client.exhausted()
  const jobs = await deps.queue.take(forwarding, room, { perGroup: concurrentPerKey, except })
  for (const job of jobs) underWay.set(job.id, carry(shift, job))
  return jobs.length
}

/** True while this process forwards. Whoever begins looks for what another one left behind. */
async function lead(shift: Shift): Promise<boolean> {
  const { client, deps, lock } = shift
  const held = await lock.hold().catch((error: unknown) => {
    shift.leading = false
    throw error
  })
  if (held && !shift.leading) {
    deps.log.info('this process forwards deliveries now')
    client.reset()
    shift.orphans = true
  }
  shift.leading = held
  return held
}

/** Never throws: a job whose end could not be stored is released in the next round. */
async function carry(shift: Shift, job: Job): Promise<void> {
  const { bell, client, deps, underWay } = shift
  try {
    const tell = await workOff({ ...deps, client }, job, () => shift.stopping)
    const told = tell().finally(() => shift.telling.delete(told))
    shift.telling.add(told)
  } catch (error) {
    shift.orphans = true
    deps.log.error({ err: error }, 'what became of a delivery could not be stored')
  }
  underWay.delete(job.id)
  bell.ring()
}

async function stop(shift: Shift, running: Promise<void>): Promise<void> {
  shift.stopping = true
  shift.bell.ring()
  await running
  shift.client.stop()
  const patience = createBell()
  void Promise.all([...shift.underWay.values(), ...shift.telling]).then(patience.ring)
  await patience.rung(patienceMs)
  await shift.lock.release()
}
