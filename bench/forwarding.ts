/**
 * 150 releases at once, the service killed with SIGKILL halfway and started again: all arrive, each
 * once, at most 60 in any 60 seconds, and none is refused. Takes about three minutes.
 *
 *   DATABASE_URL=postgres://… bun bench/forwarding.ts
 */

import { surviveKill } from '../test/support/crash.ts'
import { closeServer } from '../test/support/database.ts'

const count = 150
const windowMs = 60_000

const started = performance.now()
const { arrivals, blocksPerItem, statuses } = await surviveKill({ count, killAt: 75, seconds: 300 })
await closeServer()

const accepted = arrivals.filter(({ status }) => status !== 429)
const inWindow = accepted.map(
  ({ at }) => accepted.filter((other) => other.at >= at && other.at < at + windowMs).length,
)
const report = {
  seconds: Math.round((performance.now() - started) / 1000),
  deliveries: statuses,
  blocks: blocksPerItem.size,
  doubled: [...blocksPerItem.values()].filter((copies) => copies > 1).length,
  requests: arrivals.length,
  refused: arrivals.length - accepted.length,
  most_in_any_60_seconds: Math.max(...inWindow),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
const right = report.blocks === count && report.doubled === 0 && report.refused === 0
process.exit(right && report.most_in_any_60_seconds <= 60 ? 0 : 1)
