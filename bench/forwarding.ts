/**
 * Sends 150 releases, kills the service with SIGKILL in the middle and starts it again. Every release
 * must become one block, no 60 s may contain more than 60 accepted requests by PostgreSQL's clock, and
 * forwarding must use at least 0.98 of the limit: a request can be accepted 60 s after the sixtieth before
 * it, and may be later by 1.2 s on average, without the time in which no process runs. Takes about three
 * minutes.
 *
 *   DATABASE_URL=postgres://… bun bench/forwarding.ts
 */

import { closeServer } from '../test/support/database/database.ts'
import { surviveKill } from '../test/support/processes/crash.ts'

const count = 150
const perWindow = 60
const windowMs = 60_000
const requiredRatio = 0.98

const { responses, acceptedAt, killedAt, downMs, blocksPerItem, statuses } = await surviveKill({
  count,
  killAt: 75,
  seconds: 300,
})
await closeServer()

const inWindow = acceptedAt.map(
  (at) => acceptedAt.filter((other) => other >= at && other < at + windowMs).length,
)
const takenMs = (acceptedAt.at(-1) ?? 0) - (acceptedAt[0] ?? 0)
/** From each request to the sixtieth after it; the first sixty are limited by the machine alone. */
const roundsMs = acceptedAt.slice(perWindow).map((at, index) => at - (acceptedAt[index] ?? at))
const workingMs = roundsMs.map((ms, index) => {
  const from = acceptedAt[index] ?? 0
  // A request that the limit kept back meanwhile lost less than the whole outage.
  return from < killedAt && from + ms > killedAt ? Math.max(windowMs, ms - downMs) : ms
})
const meanMs = workingMs.reduce((sum, ms) => sum + ms, 0) / workingMs.length
const report = {
  deliveries: statuses,
  blocks: blocksPerItem.size,
  duplicates: [...blocksPerItem.values()].filter((copies) => copies > 1).length,
  requests: responses.length,
  responses_429: responses.filter(({ status }) => status === 429).length,
  accepted: acceptedAt.length,
  most_in_any_60_seconds: Math.max(...inWindow),
  seconds: Math.round(takenMs / 100) / 10,
  seconds_without_process: Math.round(downMs / 100) / 10,
  ratio_of_possible_rate: Math.round((windowMs / meanMs) * 1000) / 1000,
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
const complete = report.blocks === count && report.duplicates === 0
const exact = report.most_in_any_60_seconds <= perWindow
process.exit(complete && exact && report.ratio_of_possible_rate >= requiredRatio ? 0 : 1)
