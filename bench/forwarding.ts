/**
 * Sends 150 releases, kills the service with SIGKILL in the middle and starts it again. Every release
 * must become one block, no 60 s may contain more than 60 accepted requests by PostgreSQL's clock, and
 * forwarding must make at least 0.98 of the 60 items that a key may post in a minute, without the time
 * in which no process runs. Takes about two minutes.
 *
 *   DATABASE_URL=postgres://… bun bench/forwarding.ts
 */

import { surviveKill } from '../test/support/crash.ts'
import { closeServer } from '../test/support/database.ts'

const count = 150
const perWindow = 60
const windowMs = 60_000
const requiredRatio = 0.98

const { arrivals, acceptedAt, downMs, blocksPerItem, statuses } = await surviveKill({
  ...{ count, killAt: 75, seconds: 300 },
})
await closeServer()

const inWindow = acceptedAt.map(
  (at) => acceptedAt.filter((other) => other >= at && other < at + windowMs).length,
)
const takenMs = (acceptedAt.at(-1) ?? 0) - (acceptedAt[0] ?? 0)
const shortestMs = Math.floor((count - 1) / perWindow) * windowMs
const report = {
  deliveries: statuses,
  blocks: blocksPerItem.size,
  duplicates: [...blocksPerItem.values()].filter((copies) => copies > 1).length,
  requests: arrivals.length,
  responses_429: arrivals.filter(({ status }) => status === 429).length,
  accepted: acceptedAt.length,
  most_in_any_60_seconds: Math.max(...inWindow),
  seconds: Math.round(takenMs / 100) / 10,
  seconds_without_process: Math.round(downMs / 100) / 10,
  ratio_of_possible_rate: Math.round((shortestMs / (takenMs - downMs)) * 1000) / 1000,
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
const complete = report.blocks === count && report.duplicates === 0
const exact = report.most_in_any_60_seconds <= perWindow
process.exit(complete && exact && report.ratio_of_possible_rate >= requiredRatio ? 0 : 1)
